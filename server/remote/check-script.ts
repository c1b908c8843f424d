/**
 * What a shell on a machine says of it when somebody wants to know what is wrong, beside
 * `host-script.ts`. Nothing is left there; folders are made where tasks would make them as well.
 */
export const CHECK_SCRIPT = `il_version() {
  command -v "$1" >/dev/null 2>&1 || return 0
  printf ' %s %s\\n' "$1" "$("$@" 2>/dev/null | head -n 1)"
}
il_check() {
  il_place=$1
  case $il_place in '~/'*) il_place=$HOME/\${il_place#??} ;; esac
  printf ' time %s\\n system %s\\n user %s\\n shell %s\\n home %s\\n' "$(date +%s)" "$(uname -sm)" "$(id -un)" "$SHELL" "$HOME"
  il_state=\${INTERLOCK_STATE_DIR:-\${XDG_STATE_HOME:-$HOME/.local/state}/interlock}/machine
  mkdir -p "$il_state" 2>/dev/null && : >"$il_state/check.$$" 2>/dev/null && rm -f "$il_state/check.$$" && printf ' state %s\\n' "$il_state"
  il_version tmux -V
  il_version git --version
  il_version rsync --version
  command -v setsid >/dev/null 2>&1 && printf ' setsid there\\n'
  printf ' cpus %s\\n' "$(getconf _NPROCESSORS_ONLN 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null)"
  printf ' memory %s\\n' "$(awk '$1 == "MemTotal:" { printf "%.0f", $2 * 1024 }' /proc/meminfo 2>/dev/null || sysctl -n hw.memsize 2>/dev/null)"
  il_beat
  [ -d "$il_place" ] && printf ' folder %s\\n' "$il_place"
  while ! [ -d "$il_place" ] && [ "$il_place" != / ] && [ -n "$il_place" ]; do il_place=\${il_place%/*}; done
  printf ' disk %s\\n' "$(df -Pk "\${il_place:-/}" 2>/dev/null | awk 'NR == 2 { print $4 }')"
}
`;
