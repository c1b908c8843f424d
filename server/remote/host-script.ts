/**
 * What a machine runs for us, in nothing but a POSIX shell. The texts are constants; whatever differs
 * from board to board and from task to task comes as words that `quote` has quoted.
 *
 *     ~/.local/state/interlock/machine/BOARD/
 *       node          which machine this is, for ever
 *       boot          which start of it
 *       ends          a pipe: the terms of commands that have ended
 *       peers         the shells of whoever is connected: the next one ends what is left of them
 *       wrapper-N     what runs attempts
 *       s/SHELL.SLOT  a pipe: the terms that a slot of a connection is to run, one after the other; 0 ends it
 *       t/TERM.order  what is to be run, as a shell says it
 *       t/TERM.begun  boot, pid and start time of the wrapper, which leads the process group, and its kind
 *       t/TERM.fenced it must not begin any more
 *       t/TERM.log    what the command has printed
 *       t/TERM.result its exit status: one line, which counts when its end is there
 *
 * Invariant: of wrappers that are given one term, one begins: it makes the file `begun`.
 * Invariant: either the wrapper sees `fenced`, or whoever fences sees `begun`.
 * Invariant: an order that is not there as a whole is not carried out.
 */

/** One of another version is another file, and goes on beside it. */
export const WRAPPER = 'wrapper-2';

/**
 * Runs one attempt in a terminal, as `sh ./wrapper-2 alone TERM` in the folder of the board; or, as
 * `sh ./wrapper-2 slot SLOT TERM`, that one and others after it.
 *
 * The signal that ends a command goes to its whole group and must not end the wrapper: a trap that
 * does something is not inherited, an ignored signal is. A command of a slot prints into its log and
 * outlives the terminal around it. One that has the terminal is logged by a pipe of tmux, so the result
 * waits until the log has a mark that was printed last.
 *
 * In a slot no program is started but those of the command: each would take as long as a short command.
 */
const WRAPPER_TEXT = `il_home=$PWD
il_kind=$1
il_first=$2
il_next=\${3-$2}
il_umask=$(umask)
umask 077
read -r il_boot <boot || exit 1
trap : TERM INT
if read -r il_start 2>/dev/null </proc/$$/stat; then
  set -- \${il_start##*) }
  il_start=\${20}
else
  il_start=$(LC_ALL=C ps -o lstart= -p $$)
fi
il_begin() {
  il_term=$1
  il_here=$il_home/t/$1
  il_result=-
  il_whole=
  [ -r "$il_here.order" ] && . "$il_here.order"
  [ "$il_whole" = "$il_term" ] || return 1
  if ! cd -- "$il_folder" 2>/dev/null; then
    il_result=folder
    return 1
  fi
  set -C
  printf '%s\\n' "$il_boot" $$ "$il_start" "$il_kind" 2>/dev/null >"$il_here.begun" || {
    set +C
    return 1
  }
  set +C
  [ -e "$il_here.fenced" ] || return 0
  il_result=fenced
  return 1
}
il_tell() {
  cd "$il_home" && [ -p ends ] || return
  if [ -s "$il_here.log" ]; then il_said=said; else il_said=silent; fi
  printf '%s %s %s %s %s\\n' "$il_term" "$il_said" "$il_result" $$ "$il_start" 1<>ends
}
if [ "$il_kind" = alone ]; then
  if il_begin "$il_next"; then
    (umask "$il_umask"; il_command)
    il_result=$?
    printf '\\033_interlock %s\\033\\\\' "$il_term"
    il_rounds=0
    while sleep 0.02 2>/dev/null || sleep 1; do
      case $(tail -c 64 "$il_here.log" 2>/dev/null) in *"_interlock $il_term"*) break ;; esac
      [ $((il_rounds += 1)) -gt 500 ] && break
    done
  fi
  [ "$il_result" = - ] && exit
  printf '%s\\n' "$il_result" >"$il_here.new" && mv -f "$il_here.new" "$il_here.result"
  kill -TERM 0
  il_tell
  exit
fi
trap '' HUP
exec 8<>"s/$il_first" || exit 1
printf 'What the commands of this slot print is in %s.\\n' "$il_home/t"
while [ "$il_next" != 0 ]; do
  if il_begin "$il_next"; then
    (
      exec 8<&-
      unset TMUX TMUX_PANE TERM
      umask "$il_umask"
      il_command
    ) </dev/null >>"$il_here.log" 2>&1
    il_result=$?
  fi
  if [ "$il_result" != - ]; then
    printf '%s\\n' "$il_result" >"$il_here.result" || {
      # Whoever is connected hears it, and nobody takes it for at work.
      rm -f "$il_here.result"
      il_tell
      break
    }
    kill -TERM 0
  fi
  il_tell
  read -r il_next <&8 || il_next=0
done
rm -f "s/$il_first"
`;

/**
 * What whoever is connected says to the machine. An answer is lines that begin with a space, pieces of
 * so many bytes as \`=N\` says, and \`.ID STATUS\` at its end.
 */
export const HOST_SCRIPT = `umask 077
il_ask() {
  il_id=$1
  shift
  "$@" </dev/null
  printf '.%s %s\\n' "$il_id" $?
}
il_enter() {
  il_home=\${INTERLOCK_STATE_DIR:-\${XDG_STATE_HOME:-$HOME/.local/state}/interlock}/machine/$il_board
  mkdir -p "$il_home/t" "$il_home/s" && cd "$il_home"
}
il_open() {
  il_board=$1
  il_enter || return 1
  il_take_over
  il_new=new.$$
  if ! [ -e ${WRAPPER} ]; then
    cat >"$il_new" <<'IL_END' && mv -f "$il_new" ${WRAPPER} || return 1
${WRAPPER_TEXT}IL_END
  fi
  if ! [ -s node ]; then
    od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' >"$il_new" && ln "$il_new" node 2>/dev/null
    rm -f "$il_new"
  fi
  [ -p ends ] || mkfifo ends 2>/dev/null
  il_watch
  il_boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.bootsessionuuid 2>/dev/null)
  # A full disk keeps nobody from looking.
  read -r il_old 2>/dev/null <boot
  [ "$il_old" = "$il_boot" ] || { printf '%s\\n' "$il_boot" >"$il_new" && mv -f "$il_new" boot; } || return 1
  il_facts
}
il_take_over() {
  while read -r il_pid il_since; do
    il_start_of "$il_pid"
    [ "$il_start" = "$il_since" ] && kill -KILL "$il_pid" 2>/dev/null
  done 2>/dev/null <peers
  : >peers
  il_join $$
  il_end_slots
}
il_end_slots() {
  for il_each in s/*; do
    [ -p "$il_each" ] && echo 0 1<>"$il_each"
  done
  rm -f s/* life.*
}
il_watch() {
  rm -f life.$$
  mkfifo life.$$ || return
  exec 7<>life.$$
  il_apart /bin/sh -c 'cat <"life.$1" >/dev/null
  for il_each in "s/$1".*; do [ -p "$il_each" ] && echo 0 1<>"$il_each"; done
  rm -f "life.$1" "s/$1".*' sh $$
}
il_join() {
  il_start_of "$1"
  printf '%s %s\\n' "$1" "$il_start" >>peers
}
il_facts() {
  printf ' node %s\\n boot %s\\n folder %s\\n shell %s\\n' "$(cat node)" "$il_boot" "$PWD" $$
  printf ' system %s\\n' "$(uname -sm)"
  printf ' cpus %s\\n' "$(getconf _NPROCESSORS_ONLN 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null)"
  il_memory=$(awk '$1 == "MemTotal:" { printf "%.0f", $2 * 1024 }' /proc/meminfo 2>/dev/null || sysctl -n hw.memsize 2>/dev/null)
  printf ' memory %s\\n' "$il_memory"
  printf ' tmux %s\\n' "$(tmux -V 2>/dev/null)"
  for il_tool in git rsync docker node python3; do
    command -v "$il_tool" >/dev/null 2>&1 && printf ' tool %s\\n' "$il_tool"
  done
  il_beat
}
il_beat() {
  if read -r il_load il_rest 2>/dev/null </proc/loadavg; then :
  else il_load=$(LC_ALL=C uptime | sed 's/.*averages*: *//; s/[ ,].*//'); fi
  printf ' load %s\\n' "$il_load"
}
il_ends() {
  il_join $$
  exec 3<>ends
  echo '!0'
  while read -r il_term <&3; do printf '!%s\\n' "$il_term"; done &
  il_reader=$!
  il_join "$il_reader"
  exec 3>&-
  cat >/dev/null 2>&1
  kill -KILL "$il_reader" 2>/dev/null
}
il_order() {
  [ -e "t/$1.begun" ] && return 3
  # Whoever reads one that is there as a whole is not disturbed.
  [ -e "t/$1.order" ] && [ "$(tail -n 1 "t/$1.order")" = "il_whole=$1" ] ||
    printf '%s\\n' "$2" >"t/$1.order" || { rm -f "t/$1.order"; return 4; }
  [ -z "$3" ] || [ -L "t/$1.log" ] || ln -s "$3" "t/$1.log" || return 4
  case $4 in
    '') ;;
    "$1") [ -p "s/$$.$1" ] || mkfifo "s/$$.$1" || return 4 ;;
    *) [ -p "s/$$.$4" ] || return 5; printf '%s\\n' "$1" 1<>"s/$$.$4" ;;
  esac
}
il_alone() {
  il_apart /bin/sh ./${WRAPPER} "$@"
}
il_apart() {
  if command -v setsid >/dev/null 2>&1; then il_base setsid "$@"
  else il_base perl -MPOSIX=setsid -e 'setsid; exec @ARGV' "$@"; fi </dev/null >/dev/null 2>&1 7>&- &
}
il_base() {
  for il_name in PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ TMPDIR; do
    eval "il_value=\\\${$il_name-}"
    [ -z "$il_value" ] || set -- "$il_name=$il_value" "$@"
  done
  \${il_run-} env -i "$@"
}
il_control() {
  il_join $$
  il_run=exec
  # What a session runs is read by the shell of the user where it is one word, and by nobody otherwise.
  il_base INTERLOCK_DIR="$il_home" tmux -L "interlock-$il_board" -f /dev/null -C new-session -s "interlock-control-$$" -x 200 -y 50 cat - ';' set-option destroy-unattached on
}
il_start_of() {
  if read -r il_stat 2>/dev/null <"/proc/$1/stat"; then
    set -- \${il_stat##*) }
    case $1 in Z|X) il_start= ;; *) il_start=\${20} ;; esac
  elif [ -d /proc/self ]; then il_start=
  else il_start=$(LC_ALL=C ps -o lstart= -p "$1")
  fi
}
il_group_lives() {
  il_start_of "$1"
  [ "$il_start" = "$2" ] && return 0
  [ -z "$il_start" ] && kill -0 "-$1" 2>/dev/null || return 1
  # What nobody has taken note of yet is dead as well.
  if [ -d /proc/self ]; then cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' | awk '{ print $3, $1 }'
  else ps -A -o pgid= -o stat=; fi | awk -v group="$1" '$1 == group && $2 !~ /^[ZX]/ { lives = 1 } END { exit !lives }'
}
il_see() {
  il_t=t/$1
  il_b= il_p= il_s= il_k=
  { read -r il_b; read -r il_p; read -r il_s; read -r il_k; } 2>/dev/null <"$il_t.begun" || il_s=
  if read -r il_result 2>/dev/null <"$il_t.result"; then
    if [ "$il_b" = "$il_boot" ] && [ "$il_k" = alone ] && il_group_lives "$il_p" "$il_s"; then il_state=ending
    else il_state=ended; fi
    printf ' %s %s %s %s %s\\n' "$1" "$il_state" "$il_result" "$il_p" "$il_s"
  elif [ -n "$il_s" ]; then
    il_start_of "$il_p"
    if [ "$il_b" != "$il_boot" ]; then il_state=rebooted
    elif [ "$il_start" = "$il_s" ]; then il_state=running
    elif [ -s "$il_t.result" ]; then il_see "$1"; return
    elif il_group_lives "$il_p" "$il_s"; then il_state=headless
    else il_state=gone; fi
    printf ' %s %s %s %s %s\\n' "$1" "$il_state" "$il_b" "$il_p" "$il_s"
  elif [ -e "$il_t.fenced" ]; then printf ' %s fenced\\n' "$1"
  elif [ -e "$il_t.order" ]; then printf ' %s ordered\\n' "$1"
  else printf ' %s unknown\\n' "$1"; fi
}
il_see_each() {
  for il_each in "$@"; do il_see "$il_each"; done
}
il_fence() {
  for il_each in "$@"; do
    : >"t/$il_each.fenced" || return 4
    il_see "$il_each"
  done
}
il_signal() {
  { read -r il_b; read -r il_p; read -r il_s; } 2>/dev/null <"t/$2.begun" || return 3
  [ "$il_b" = "$il_boot" ] && il_group_lives "$il_p" "$il_s" && kill "-$1" "-$il_p" 2>/dev/null
}
il_sweep() {
  il_found=1
  for il_round in 1 2 3 4 5; do
    il_found=0
    for il_file in $(grep -lF "INTERLOCK_MARK=$1" /proc/[0-9]*/environ 2>/dev/null); do
      il_pid=\${il_file#/proc/}
      kill -KILL "\${il_pid%/environ}" 2>/dev/null && il_found=1
    done
    [ $il_found = 0 ] && return 0
  done
  return 3
}
il_sizes() {
  for il_each in "$@"; do
    [ -s "t/$il_each.log" ] && set -- "$@" "t/$il_each.log"
    shift
  done
  [ $# = 0 ] || wc -c "$@" | sed 's/^/ /'
}
il_read() {
  while [ $# -ge 3 ]; do
    if [ -r "t/$1.log" ]; then
      printf '=%s\\n' "$3"
      tail -c "+$(($2 + 1))" "t/$1.log" | head -c "$3"
    else echo '=0'; fi
    shift 3
  done
}
il_terms() {
  for il_each in t/*.order t/*.fenced; do
    il_each=\${il_each#t/}
    printf ' %s\\n' "\${il_each%.*}"
  done | head -n 2000
}
il_cut() {
  command -v fallocate >/dev/null 2>&1 || return 3
  fallocate --punch-hole --offset "$2" --length "$3" "t/$1.log"
}
il_forget() {
  for il_each in "$@"; do
    set -- "$@" "t/$il_each".*
    shift
  done
  rm -f "$@"
}
`;
