/**
 * What a shell on a machine says about the sessions of a board, beside `host-script.ts`. It connects
 * nothing and takes nothing over, so anybody may ask at any time. Whatever differs comes as quoted
 * words; what tmux reads as a format is written here, but for a key that `isSessionKey` has checked.
 *
 * A name of a session has no ":" in it, so what comes after one is the key, whatever it looks like. A
 * key that is not ours may have lines of its own, so each of ours begins with a word that nobody knows.
 */
export const SESSION_SCRIPT = `il_tmux() {
  il_base tmux -L "interlock-$il_board" -f /dev/null "$@"
}
il_sessions() {
  il_board=$1
  command -v tmux >/dev/null 2>&1 || return 3
  printf ' %s\\n' "$(date +%s)"
  il_tmux list-sessions -F "$2"':#{session_created}:#{session_activity}:#{window_activity}:#{session_attached}:#{?pane_dead,1,0}:#{session_name}:#{@interlock}' 2>/dev/null | head -n 1000 | sed 's/^/ /'
  return 0
}
il_make_session() {
  il_board=$1
  il_name=$2
  il_key=$3
  il_place=$4
  case $il_place in '~/'*) il_place=$HOME/\${il_place#??} ;; esac
  command -v tmux >/dev/null 2>&1 || return 3
  il_enter || return 4
  il_said=$(il_base INTERLOCK_DIR="$il_home" tmux -L "interlock-$il_board" -f /dev/null \\
    new-session -d -s "$il_name" -x 200 -y 50 /bin/sh -c "$IL_PERSON" sh "$il_place/." ';' \\
    set-option -t "=$il_name:" @interlock "$il_key" 2>&1) && return 0
  for il_round in 1 2 3 4 5 6 7 8 9 10; do
    il_has=$(il_tmux show-options -qv -t "=$il_name:" @interlock 2>/dev/null)
    [ "$il_has" = "$il_key" ] && return 0
    [ -n "$il_has" ] && return 5
    sleep 0.05 2>/dev/null || sleep 1
  done
  printf ' %s\\n' "$il_said"
  il_tmux has-session -t "=$il_name" 2>/dev/null && return 5
  return 4
}
il_end_session() {
  il_board=$1
  il_tmux has-session -t "=$2" 2>/dev/null || return 3
  il_said=$(il_tmux if-shell -F -t "=$2:" "#{==:#{@interlock},$3}" "kill-session -t =$2:" 'display-message -p other' 2>/dev/null) || return 3
  [ -z "$il_said" ] || return 5
}
IL_PERSON='cd -- "$1" 2>/dev/null || { printf "There is no folder %s here.\\n" "\${1%/.}"; cd; }; exec "\${SHELL:-/bin/sh}" -l'
`;
