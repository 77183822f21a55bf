# Completion of skinbake in bash. The commands, options and words come from `skinbake … --help`; other values are files.
_skinbake() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  # Bash divides --option=value into three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi

  # The help of the command that the first words name, such as `batch merge`.
  local command='' help commands word
  help=$("$program" --help 2>/dev/null)
  commands=$(_skinbake_commands "$help")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ " $commands " == *" $word "* ]] || break
    command+=${command:+ }$word
    help=$("$program" $command --help 2>/dev/null)
    commands=$(_skinbake_commands "$help")
  done

  local words=$commands prefix=''
  [[ $command != list ]] || words='methods formats metrics targets'
  [[ $current != -* ]] || words=$(sed -nE 's/^  (-.,)?(--[a-z-]+).*/\2/p' <<<"$help")
  # The value of an option: "  --color auto|always|never=auto".
  local value
  value=$(awk -v option="$before" '/^  -/ { split($1, names, ",") }
    /^  -/ && (names[1] == option || names[2] == option) && !/^  [^ ]+   / { print $2; exit }' <<<"$help")
  if [[ -n $value && $current != -* ]]; then
    words=$(tr '|' '\n' <<<"${value%%=*}" | grep -E '^[a-z][a-z0-9-]*$')
    case $before in
      -m | --method) words=$(_skinbake_ids "$program" methods) ;;
      --metrics) words="all $(_skinbake_ids "$program" metrics)" ;;
    esac
    case $before in --metrics) [[ $current != *,* ]] || prefix=${current%,*}, ;; esac
  fi
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}")
  if [[ $command == batch && $words == "$commands" ]]; then  # a command, or a manifest
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
  fi
}

_skinbake_commands() { sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' <<<"$1" | paste -sd ' '; }

_skinbake_ids() { "$1" list "$2" --json 2>/dev/null | sed -n 's/^ *"id": "\([^"]*\)".*/\1/p'; }

complete -o bashdefault -o default -F _skinbake skinbake
