/** First words that mark a message of a model as a shell command. The same list as in `python/bashgym/bashgym/shell_words.py`. */
export const SHELL_WORDS: ReadonlySet<string> = new Set(
  `
  alias apt apt-get awk base64 basename bash bg break builtin bunzip2 bzip2 cargo case cat cd chgrp chmod chown cmp column comm command
  cp crontab csplit curl cut date dd declare df diff dig dirname disown docker du echo ed egrep env eval exec exit expand export expr
  factor false fg fgrep file find fmt fold for free function gcc getopts git go grep groups gunzip gzip hash head help history hostname
  id if install ip java jobs join jq kill killall less let link ln local locale logname ls lsof make man md5sum mkdir mkfifo mktemp more
  mv nano nc nice nl node nohup npm npx nproc numfmt od openssl paste patch perl pgrep pip pip3 pkill popd pr printenv printf ps pushd
  pwd pytest python python3 read readlink readonly realpath return rev rm rmdir rsync ruby sed select seq set sh sha1sum sha256sum
  sha512sum shift shopt shred shuf sleep sort source split sqlite3 ss ssh stat strings stty su sudo sum systemctl tac tail tar tee test
  time timeout top touch tr trap tree true truncate tsort tty type ulimit umask unalias uname unexpand uniq unset until unxz unzip uptime
  useradd usermod vi vim wait watch wc wget which while who whoami xargs xxd xz yes zcat zip zstd
  `
    .trim()
    .split(/\s+/),
)
