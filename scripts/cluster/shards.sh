# What the scripts of this folder share: the arguments MANIFEST N [BATCH OPTION…], and the names of the files.
# Needs `name`, of the script, for messages.

fail() { echo "$name: $*; see scripts/cluster/$name --help" >&2; exit 2; }
refuse() { echo "$name: $*" >&2; exit 3; }

# Sets manifest, n, stem, states, batch_options, and of these the ones that choose tasks: selection. The first argument
# is the shard that is done alone, or empty; the others are those of the script from MANIFEST on.
read_shards() {
  only=$1
  shift
  (($# >= 2)) || fail "the manifest and the number of shards are missing"
  manifest=$1 n=$2
  shift 2
  [[ $n =~ ^[1-9][0-9]{0,5}$ ]] || fail "'$n' is not a number of shards"
  [[ -z $only || $only =~ ^[1-9][0-9]{0,5}$ ]] && ((${only:-1} <= n)) || fail "there is no shard '$only' of $n"
  [[ -f $manifest ]] || refuse "there is no manifest $manifest"
  program=${SKINBAKE:-skinbake}
  command -v "$program" >/dev/null || refuse "there is no program '$program'; name it in SKINBAKE"
  stem=${manifest%.json}
  batch_options=("$@") states=() selection=()
  local i option
  if ((n == 1)); then states=("$stem.state.jsonl"); fi  # not divided
  for ((i = 1; n > 1 && i <= n; ++i)); do states+=("$stem.state.$i-of-$n.jsonl"); done
  for option in "$@"; do
    case $option in
      --set=* | --only=* | --allow=*) selection+=("$option") ;;
      --set | --only | --allow) fail "write $option=… in one word" ;;
      --shard* | --state* | --report* | -j* | --jobs*) fail "the script itself gives ${option%%=*}" ;;
    esac
  done
}
