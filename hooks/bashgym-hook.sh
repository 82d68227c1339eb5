#!/bin/sh
# The doorbell: appends what Claude Code hands over on stdin to a file of the spool, and returns. Says nothing on
# either stream and always exits 0, because one byte or one failure leaves a record in the user's transcript.
# Builtins only, but for one `cat`: it is added to every tool call. The environment holds keys; none of it is kept.

# The installer writes the data directory into its copy in place of this line; the plugin form runs the file as it is.
home=${BASHGYM_HOME:-${HOME-}/.bashgym}

set -u
exec >/dev/null 2>&1
umask 077

# Both numbers, since a process id returns; a returned pair is appended to, never overwritten.
client=${CLAUDE_PID:-0}
case $client in *[!0-9]*) client=0 ;; esac
file=$home/spool/$$.$client

# With the app closed for long the spool stays bounded: from 2,000 files on one empty `doorbell` asks for a scan, and
# the transcript, which has it all, is the record. Counting is a glob: 1 ms at the limit, nothing near empty.
set -- "$home/spool/"*
if [ $# -ge 2000 ]; then
  printf '' >>"$home/spool/doorbell"
else
  # A predecessor killed in the middle of its line must not swallow this one; and clients up to 2.1.50 send no newline
  # at the end. A blank line means nothing.
  [ -s "$file" ] && echo >>"$file"
  { cat && echo; } >>"$file" && exit 0
fi

# Nothing could be kept (or need be): drain, so that the client never writes into a closed pipe.
cat
exit 0
