/**
 * How the files of tasks get to a machine and back, in nothing but a POSIX shell and git. The text is
 * constant; whatever differs comes as words that `quote` has quoted.
 *
 *     FOLDER/REPO--interlock/BOARD/
 *       interlock         the folder is ours: without this file nothing in it is touched
 *       peer              the shell that works here; the next one ends what is left of it
 *       mirror.git        what has come, and what tasks have made of it
 *       in/NAME           a bundle on its way here: as much of it as has come
 *       t/TERM/           the working tree of one attempt
 *       t/TERM.ready      it is complete
 *       t/TERM.index      what git knows of it as it was sent; its time says since when
 *       t/TERM.back       its task has ended: a day later nobody asks for it any more
 *       t/TERM.bundle     what became of it, on its way back
 *
 * What fails says why in lines before its status:
 *
 *     10 no git or rsync    12 the folder is not there    14 nothing was ever sent
 *     11 not ours           13 git or the disk refuses    15 it is complete already
 *
 * Invariant: one shell at a time works in a folder, whatever has become of the connection before.
 * Invariant: git reads no configuration but that of `mirror.git`, which we have made.
 * Invariant: nothing outside of a folder that has the file `interlock` is removed or written.
 */
export const SYNC_SCRIPT = `il_user_home=$HOME
il_ask() {
  il_id=$1
  shift
  "$@" </dev/null
  printf '.%s %s\\n' "$il_id" $?
}
il_put() {
  printf '.%s 0\\n' "$1"
  { head -c "$3" || kill -KILL $$; } | {
    cat >"piece.$$" && exit 0
    cat >/dev/null
    exit 1
  }
  if [ $? != 0 ]; then il_status=13
  else il_try il_append "$3" "$4" "$5"; il_status=$?; fi
  rm -f "piece.$$"
  printf '.%s %s\\n' "$2" "$il_status"
}
il_append() {
  [ $(($(wc -c <"piece.$$"))) = "$1" ] && [ "$(il_size "$2")" = "$3" ] && cat "piece.$$" >>"in/$2"
}
il_try() {
  "$@" 2>"$il_home/said.$$" && { rm -f "$il_home/said.$$"; return 0; }
  sed 's/^/ /;5q' "$il_home/said.$$"
  rm -f "$il_home/said.$$"
  return 13
}
il_git() {
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.quotePath=false -c gc.auto=0 -c maintenance.auto=false -c protocol.file.allow=always "$@"
}
il_mirror() {
  il_git --git-dir="$il_home/mirror.git" "$@"
}
il_folder() {
  case $1 in
    '~/'*) il_base=$il_user_home/\${1#'~/'} ;;
    *) il_base=$1 ;;
  esac
}
il_there() {
  il_folder "$1"
  [ -d "$il_base" ] && [ -x "$il_base" ] || return 12
  printf ' folder %s\\n' "$il_base"
}
il_open() {
  [ -z "\${4#none}" ] || command -v git >/dev/null 2>&1 || return 10
  [ "$(printf abc | head -c 2 2>/dev/null)" = ab ] || return 10
  il_folder "$1"
  il_home=$il_base/$2--interlock/$3
  if ! [ -e "$il_home/interlock" ]; then
    [ -n "$4" ] || return 14
    [ -h "$il_home" ] && return 11
    [ -z "$(ls -A "$il_home" 2>/dev/null)" ] || return 11
    mkdir -p "$il_home" 2>/dev/null && chmod 700 "$il_home" && : >"$il_home/interlock" || return 13
  fi
  cd "$il_home" && il_home=$(pwd -P) && mkdir -p in t || return 13
  il_plain
  il_take_over
  [ -e mirror.git/ready ] || [ -z "\${4#none}" ] || il_try il_begin "$4" || return
  printf ' home %s\\n' "$il_home"
}
il_since() {
  if [ -d /proc/self ]; then sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
  else LC_ALL=C ps -o lstart= -p "$1" 2>/dev/null; fi
}
il_take_over() {
  read -r il_pid il_then 2>/dev/null <peer || il_pid=
  [ "$il_pid" != $$ ] || return 0
  if [ -n "$il_pid" ] && [ -n "$il_then" ] && [ "$il_then" = "$(il_since "$il_pid")" ]; then
    kill -KILL "-$il_pid" 2>/dev/null || kill -KILL "$il_pid" 2>/dev/null
  fi
  rm -f piece.* said.* t/*.lock
  [ ! -d mirror.git/refs/interlock ] || find mirror.git/refs/interlock -name '*.lock' -exec rm -f {} +
  printf '%s %s\\n' $$ "$(il_since $$)" >peer
  il_old=$(find t -name '*.back' -mtime +0 2>/dev/null | sed 's/^t.//;s/\\..*//')
  [ -z "$il_old" ] || il_forget $il_old
}
il_plain() {
  for il_name in $(env | sed -n 's/^\\(GIT_[A-Za-z0-9_]*\\)=.*/\\1/p'); do unset "$il_name"; done
  export HOME="$il_home/mirror.git" XDG_CONFIG_HOME="$il_home/mirror.git" LC_ALL=C
  export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
  export GIT_AUTHOR_NAME=Interlock GIT_AUTHOR_EMAIL=interlock@localhost GIT_AUTHOR_DATE='1000000000 +0000'
  export GIT_COMMITTER_NAME=Interlock GIT_COMMITTER_EMAIL=interlock@localhost GIT_COMMITTER_DATE='1000000000 +0000'
}
il_begin() {
  if [ "$1" = sha1 ]; then il_git init -q --bare --template= mirror.git
  else il_git init -q --bare --template= "--object-format=$1" mirror.git; fi &&
    : >mirror.git/ready
}
il_known() {
  il_mirror for-each-ref --format=' %(objectname)' refs/interlock | sort -u | head -n 200
}
il_size() {
  if [ -e "in/$1" ]; then echo $(($(wc -c <"in/$1"))); else echo 0; fi
}
il_part() {
  printf ' %s\\n' "$(il_size "$1")"
}
il_take() {
  il_try il_mirror fetch -q --no-tags "$il_home/in/$1" "+$2:refs/interlock/sent"
  il_status=$?
  rm -f "in/$1"
  return $il_status
}
il_has() {
  il_mirror cat-file -e "$1^{commit}" 2>/dev/null
}
il_tree() {
  il_t=t/$1
  if ! [ -e "$il_t.ready" ]; then
    il_drop "$1"
    il_try il_make "$1" "$2" "$3"
    il_status=$?
    cd "$il_home" || return 13
    if [ $il_status != 0 ]; then
      il_drop "$1"
      return 13
    fi
  fi
  [ -d "$il_t/$4" ] || return 12
}
il_make() {
  il_mirror update-ref "refs/interlock/$1/sent" "$2" &&
    il_mirror update-ref "refs/interlock/$1/head" "$3" &&
    il_mirror worktree prune &&
    il_mirror worktree add --detach --no-checkout "$il_home/t/$1" "$3" >/dev/null &&
    cd "$il_home/t/$1" &&
    il_in "$1" il_checkout "$1" "$2" "$3" &&
    : >"$il_home/t/$1.ready"
}
il_in() {
  il_worktree=$il_home/mirror.git/worktrees/$1
  shift
  (export GIT_DIR="$il_worktree" GIT_WORK_TREE="$PWD"; "$@")
}
il_checkout() {
  il_git read-tree -u --reset "$2" &&
    cp -p "$GIT_DIR/index" "$il_home/t/$1.index" &&
    { [ "$2" = "$3" ] || il_git read-tree -m "$3"; }
}
il_bare() {
  command -v rsync >/dev/null 2>&1 || return 10
  [ ! -e "t/$1.ready" ] || return 15
  for il_each in t/*.ready; do
    [ -e "$il_each" ] && il_last=\${il_each#t/} && printf ' %s\\n' "\${il_last%.ready}"
  done | sort -n | tail -n 1
  [ -d "t/$1" ] && [ ! -h "t/$1" ] && return 0
  rm -f "t/$1"
  il_try mkdir "t/$1"
}
il_filled() {
  [ -d "t/$1/$2" ] || return 12
  : >"t/$1.ready"
}
il_present() {
  [ -e "t/$1.ready" ] && : >"t/$1.back" || return 14
  il_t=t/$1
  shift
  il_at=0
  for il_each in "$@"; do
    if [ -e "$il_t/$il_each" ] || [ -h "$il_t/$il_each" ]; then printf ' %s\\n' "$il_at"; fi
    il_at=$((il_at + 1))
  done
}
il_drop() {
  for il_each in "$@"; do
    case $il_each in ''|*[!0-9]*) continue ;; esac
    [ -h "t/$il_each" ] || [ ! -d "t/$il_each" ] || chmod -R u+rwx "t/$il_each" 2>/dev/null
    rm -rf "t/$il_each" "t/$il_each".* "mirror.git/worktrees/$il_each"
  done
}
il_changes() {
  [ -e "t/$1.ready" ] && cd "t/$1" || return 14
  il_term=$1
  il_within=$2
  shift 2
  il_try il_in "$il_term" il_commit "$@"
  il_status=$?
  cd "$il_home" || return 13
  [ $il_status != 0 ] || : >"t/$il_term.back"
  return $il_status
}
il_commit() {
  il_t=$il_home/t/$il_term
  il_sent=$(il_mirror rev-parse "refs/interlock/$il_term/sent") || return 1
  il_head=$(il_mirror rev-parse "refs/interlock/$il_term/head") || return 1
  il_now=$(il_git rev-parse -q --verify 'HEAD^{commit}') || il_now=$il_head
  export GIT_INDEX_FILE="$il_t.now"
  cp -p "$il_t.index" "$il_t.now" || return 1
  il_git ls-files -z -o --exclude-standard >"$il_t.list" || return 1
  il_own_repositories >"$il_t.own"
  il_add || return 1
  il_tree=$(il_git write-tree) || return 1
  il_more=
  if [ $# != 0 ] && [ -d "./$il_within" ]; then
    (cd "./$il_within" && il_git ls-files -z --full-name -o -i --exclude-standard -- "$@") >"$il_t.list" || return 1
    rm -f "$il_t.out"
    if [ -s "$il_t.list" ]; then
      il_files <"$il_t.list" | GIT_INDEX_FILE="$il_t.out" il_git update-index -z --add --stdin || return 1
      il_more=$(GIT_INDEX_FILE="$il_t.out" il_git write-tree) || return 1
    fi
  fi
  [ -n "$il_more" ] || [ "$il_now" != "$il_head" ] ||
    [ "$il_tree" != "$(il_mirror rev-parse "$il_sent^{tree}")" ] || return 0
  il_parents="-p $il_sent"
  [ "$il_now" = "$il_head" ] || il_parents="$il_parents -p $il_now"
  il_result=$(echo Result | il_git commit-tree "$il_tree" $il_parents) || return 1
  [ -z "$il_more" ] || il_result=$(echo Outputs | il_git commit-tree "$il_more" -p "$il_result") || return 1
  il_mirror update-ref "refs/interlock/$il_term/result" "$il_result" || return 1
  il_bundle=t/$il_term.$il_result.bundle
  if ! [ -e "$il_home/$il_bundle" ]; then
    il_mirror bundle create "$il_t.new" "refs/interlock/$il_term/result" "^$il_sent" 2>"$il_t.said" ||
      { cat "$il_t.said" >&2; return 1; }
    mv -f "$il_t.new" "$il_home/$il_bundle" || return 1
  fi
  printf ' result %s\\n bundle %s\\n' "$il_result" $(($(wc -c <"$il_home/$il_bundle")))
  [ "$il_now" = "$il_head" ] || printf ' head %s\\n' "$il_now"
  [ -z "$il_more" ] || printf ' outputs\\n'
}
il_files() {
  tr '\\n\\000' '\\000\\n' | sed '/\\/$/d' | tr '\\n\\000' '\\000\\n'
}
il_own_repositories() {
  tr '\\n\\000' '?\\n' <"$il_t.list" | sed -n 's/\\/$//p' | head -n 200
}
il_add() {
  set -- .
  while IFS= read -r il_own; do
    printf ' own %s\\n' "$il_own"
    set -- "$@" ":(exclude,literal)$il_own"
  done <"$il_t.own"
  il_git add -A -- "$@"
}
il_get() {
  tail -c "+$(($3 + 1))" "t/$1.$2.bundle" 2>/dev/null | head -c "$4" >"piece.$$" || return 13
  printf '=%s\\n' $(($(wc -c <"piece.$$")))
  cat "piece.$$"
}
il_terms() {
  for il_each in t/*; do
    case $il_each in t/*.*|'t/*') ;; *) printf ' %s\\n' "\${il_each#t/}" ;; esac
  done | head -n 2000
}
il_forget() {
  il_drop "$@"
  [ -d mirror.git ] || return 0
  for il_each in "$@"; do
    for il_ref in sent head result; do
      il_mirror update-ref -d "refs/interlock/$il_each/$il_ref" 2>/dev/null
    done
  done
  il_mirror worktree prune
  il_git -c gc.auto=6700 -c gc.autoDetach=false --git-dir=mirror.git gc --auto -q 2>/dev/null
  return 0
}
`;
