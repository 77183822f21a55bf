#include <skinbake/skinbake.h>

#include <iostream>

int main() {
  std::cout << "skinbake " << skinbake::version() << ':';
  for (const skinbake::MethodInfo& method : skinbake::methods()) std::cout << ' ' << method.id;
  std::cout << '\n';
}
