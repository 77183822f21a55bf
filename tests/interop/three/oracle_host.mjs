// Runs an independent program again and again in one process, which loads three.js once.
//
//   node oracle_host.mjs PROGRAM.mjs      reads lines from standard input, each the arguments of a run as a JSON list
//
// A line on standard output, `done`, follows each run. A run that fails ends the process with the program's own message.

import fs from "node:fs";
import readline from "node:readline";
import url from "node:url";

const [program] = process.argv.slice(2);
const address = url.pathToFileURL(fs.realpathSync(program));
const lines = readline.createInterface({ input: process.stdin });
let runs = 0;

lines.on("line", (line) => {
  process.stdin.unref();
  process.argv = [process.argv[0], program, ...JSON.parse(line)];
  import(`${address}?run=${++runs}`);
});

// The program does not tell when it has ended: nothing is left to do then but to read the next line.
process.on("beforeExit", () => {
  fs.writeSync(1, "done\n");
  process.stdin.ref();
});
lines.on("close", () => process.exit());
