#!/bin/sh
# Appends the data that Claude Code sends on stdin to a file in the spool, and returns. It prints nothing and always exits
# with 0, because any output or failure adds a record to the user's transcript. It delays every tool call, so it uses only
# builtins and one `cat`. It stores nothing from the environment, which contains keys.

# The installer replaces this line in its copy with the data directory; the plugin runs this file unchanged.
home=${BASHGYM_HOME:-${HOME-}/.bashgym}

set -u
exec >/dev/null 2>&1
umask 077

# Process ids are reused, so the name has both; if a pair is reused, this appends to its file.
client=${CLAUDE_PID:-0}
case $client in *[!0-9]*) client=0 ;; esac
file=$home/spool/$$.$client

# Limits the spool while the app is closed: from 2,000 files on, an empty `doorbell` makes the app read all transcripts
# instead, which have the same content. The glob that counts files takes 1 ms at the limit.
set -- "$home/spool/"*
if [ $# -ge 2000 ]; then
  printf '' >>"$home/spool/doorbell"
else
  # The newline before separates this payload from an incomplete line of a killed hook; the newline after is needed
  # because clients up to 2.1.50 send none. Blank lines are ignored.
  [ -s "$file" ] && echo >>"$file"
  { cat && echo; } >>"$file" && exit 0
fi

# Nothing was written to the spool: read stdin to its end, so that the client never writes into a closed pipe.
cat
exit 0
