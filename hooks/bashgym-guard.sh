#!/bin/sh
# Asks the app about a command before it runs, as a PreToolUse hook of Claude Code; with the word `event` it hands the app
# what our mod decided. It asks by a file and gets the answer through a pipe, and uses `mkfifo`, `sleep` and `cat` only,
# because Claude Code waits for it. Whatever fails, the command is not refused: it exits with 0, since 2 would refuse it.

# The installer replaces this line in its copy with the data directory.
home=${BASHGYM_HOME:-${HOME-}/.bashgym}

set -u
umask 077
exec 2>/dev/null
trap 'exit 0' EXIT
folder=$home/guard

if [ "${1-}" = event ]; then
  set -- "$folder/"*
  if [ $# -ge 2000 ]; then cat >/dev/null; else { cat && echo; } >>"$folder/$$.event"; fi
  exit 0
fi

# The app is closed, too slow, or cannot read the question: nothing is said, or the user is asked, as they chose.
unchecked() {
  cat >/dev/null
  [ -e "$folder/ask" ] && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Bash Gym could not check this command."}}'
  exit 0
}

app=0
[ -r "$folder/app" ] && read -r app <"$folder/app"
case $app in '' | 0 | *[!0-9]*) unchecked ;; esac
kill -0 "$app" || unchecked
mkfifo "$folder/$$.answer" || unchecked
# Open for both, so that opening waits for nobody and the app can always write.
exec 4<>"$folder/$$.answer"
(
  sleep 10 &
  waiting=$!
  trap 'kill $waiting; exit 0' TERM
  wait $waiting && echo unchecked >&4
) </dev/null >/dev/null &
{ cat && echo; } >"$folder/$$.question" || unchecked
IFS= read -r answer <&4 || answer=unchecked
kill $!
[ "$answer" = unchecked ] && unchecked
[ -n "$answer" ] && printf '%s\n' "$answer"
exit 0
