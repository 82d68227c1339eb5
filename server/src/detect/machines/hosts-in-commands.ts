import { type CommandForm, commandForm, onlyOnLinesWith } from './command-form.ts'

/** Commands, settings and messages that name a machine. */
export const HOSTS_IN_COMMANDS: readonly CommandForm[] = [
  commandForm(
    'ready notready',
    String.raw`(?:^|\n)([a-z][\w.-]{3,62})[ \t]+(?:Ready|NotReady)(?:,\w+)?[ \t]+\S+[ \t]+\d+[dhms]`,
    'hostname',
  ),
  commandForm('assigned', String.raw`\bassigned \S+ to ([a-z][\w.-]{3,62})(?=\s|$|")`, 'hostname'),
  commandForm('node', String.raw`\bNode(?: Name)?:\s+([a-z][\w.-]{3,62})(?:\/[\d.]+)?(?=\s|$)`, 'hostname'),
  commandForm(
    'mysql mysqldump mysqladmin mariadb psql pg mongo mongosh clickhouse',
    String.raw`\b(?:mysql\w*|mariadb|psql|pg_\w+|mongo\w*|clickhouse-client)\b[^\n|;&]{0,120}?\s(?:-h|--host)[ =]?["']?([A-Za-z][\w.-]{2,60})`,
    'hostname',
  ),
  commandForm(
    'rds cache redshift docdb',
    String.raw`(?<![\w.-])([a-z][\w-]*(?:\.[\w-]+){1,4}?\.(?:rds|cache|redshift|docdb)\.amazonaws\.com)(?![\w.-])`,
    'hostname',
  ),
  commandForm('smbclient cifs', String.raw`\b(?:smbclient|cifs)\b[^\n]{0,80}?\s["']?//([A-Za-z][\w.-]{2,60})/`, 'hostname'),
  commandForm('openssl', String.raw`\bopenssl\s+s_client\b[^\n|]{0,100}?-connect[ =]([A-Za-z][\w.-]{3,60})`, 'hostname'),
  commandForm(
    'ping traceroute tracepath mtr nslookup dig nc telnet nmap host scp rsync',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?(?:ping|traceroute|tracepath|mtr|nslookup|dig|host|nc|telnet|nmap)\s+(?:[-+]\w+\s+(?:\d+\s+)?)*([A-Za-z][\w-]*(?:\.[\w-]+){2,5})(?=[\s:]|$)`,
    'hostname',
  ),
  commandForm('nmap', String.raw`\bNmap scan report for ([A-Za-z][\w.-]{2,60})(?=\s|$)`, 'hostname'),
  commandForm('connect', String.raw`\bconnect to ([A-Za-z][\w.-]{2,60})\[[\d.:a-f]+\]:\d`, 'hostname'),
  commandForm('relay', String.raw`\brelay=([A-Za-z][\w.-]{2,60})\[`, 'hostname'),
  commandForm('server', String.raw`\bserver_name\s+([A-Za-z][\w.-]{3,60})`, 'hostname'),
  commandForm('host', String.raw`(?:^|\n)[ \t]*HostName[ \t=]+([A-Za-z][\w.-]{2,60})[ \t]*(?:\n|$)`, 'hostname'),
  onlyOnLinesWith(
    ['--name'],
    commandForm(
      'agent',
      String.raw`\b[\w-]*(?:agent|runner)\s+(?:start|register|run|configure|config)\b[^\n]{0,160}?\s--name[ =]["']?([a-z][\w-]{4,40})`,
      'hostname',
    ),
  ),
  commandForm('computer', String.raw`-ComputerName\s+["']?([A-Za-z][\w.-]{3,60})`, 'hostname'),
  commandForm('net', String.raw`\bnet\s+(?:use|view)\s[^\n]{0,40}?\\{1,2}([A-Za-z][\w.-]{3,60})\\?`, 'hostname'),
  commandForm('xfreerdp wfreerdp freerdp mstsc rdesktop', String.raw`\/v:([A-Za-z][\w.-]{3,60})`, 'hostname'),
  commandForm('proxy', String.raw`\bProxyJump\s+(?:[\w.-]+@)?([a-z][\w-]*[\w.-]{2,60})`, 'hostname'),
  commandForm(
    'ping ping6 traceroute tracepath mtr nslookup dig nc telnet nmap mosh wakeonlan tnc',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?(?:ping6?|traceroute|tracepath|mtr|nslookup|nc|telnet|nmap|mosh|tnc)\s+(?:-\w+\s+(?:\d+\s+)?)*((?=[\w.-]*\d)[A-Za-z][A-Za-z0-9]*-?[\w-]*[a-z0-9])(?=\s|$)`,
    'hostname',
  ),
  commandForm(
    'ssh scp rsync sftp',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?ssh\s+(?:-[A-Za-z]+\s+(?:\S*[\d/.=~]\S*\s+)?)*((?=[\w-]*[\d-])[a-z][a-z0-9-]{3,40})(?=\s|$)`,
    'hostname',
  ),
  commandForm(
    'sqlcmd bcp osql isql',
    String.raw`\b(?:sqlcmd|bcp|osql|isql)\b[^\n|;&]{0,160}?\s-S[ =]?["']?(?:tcp:)?([A-Za-z][\w.-]{2,60})`,
    'hostname',
  ),
  commandForm(
    'ssh sshing',
    String.raw`\bssh(?:ed|ing)? (?:in)?to (?:the )?["'\x60]?((?=[\w.-]*[-\d])[A-Za-z][\w.-]{2,60}?)["'\x60]?(?=[\s,;:)!?]|\.(?:\s|$)|$)`,
    'hostname',
  ),
  commandForm(
    'go hop jump switch connect log rdp',
    String.raw`\b(?:go|hop|jump|switch|connect|rdp|log) (?:in|on)?to (?:host |server |the )?["'\x60]?((?=[a-z.-]*\d)[a-z][a-z]{2,}[\w.-]*?\d{1,3}[a-z]?)["'\x60]?(?=[\s,;:)!?]|\.(?:\s|$)|$)`,
    'hostname',
  ),
  commandForm('ping', String.raw`\b(?:ping6?: ([A-Za-z][\w.-]{2,60}): |PING ([A-Za-z][\w.-]{2,60}) \()`, 'hostname'),
  commandForm(
    'mount nfs scp rsync sshfs',
    String.raw`\b(?:mount|scp|rsync|sshfs|nfs)\b[^\n|;&]{0,160}?\s["']?(?:[\w.-]+@)?([A-Za-z][\w-]*(?:\.[\w-]+)*):(?:\/|~)`,
    'hostname',
  ),
  commandForm(
    'smbclient cifs smb mount',
    String.raw`(?:\bsmbclient|\bcifs|\bsmb:|\bmount)[^\n]{0,80}?\/\/(?:[\w.-]+@)?([A-Za-z][\w.-]{2,60})(?=[\/\s"']|$)`,
    'hostname',
  ),
  commandForm(
    'device',
    String.raw`\b[dD]evice ((?:iPhone|iPad|MacBook|Galaxy|Pixel|SURFACE|LAPTOP|DESKTOP)-(?:von|de|di|of|van|s)?-?[A-Za-z][\w-]{2,30})(?=\s|$)`,
    'hostname',
  ),
  commandForm(
    'ansible docker',
    String.raw`\b(?:ansible\s+|docker\s[^\n]{0,40}ssh:\/\/(?:\w+@)?)((?=[\w.-]*\d)[a-z][\w.-]{3,60})(?=\s|$)`,
    'hostname',
  ),
  commandForm(
    'host server node machine box',
    String.raw`\b(?:host|server|node|machine|box) ["'\x60]?((?=[a-z.-]*\d)[a-z]{3,}[\w.-]*)["'\x60]? (?:is|was|went|has been|not|cannot|keeps|ran|runs|seems|failed|died|crashed|refuses|unreachable|down|offline|rebooted)\b`,
    'hostname',
  ),
  commandForm(
    'rebooted restarted patched provisioned',
    String.raw`\b(?:rebooted|restarted|patched|provisioned|drained|cordoned) ((?=[a-z.-]*-[\w-]*\d)[a-z]{3,}[\w.-]*)(?=[\s,;]|[.](?:\s|$)|$)`,
    'hostname',
  ),
  commandForm('dhcp', String.raw`\bdhcp-host=(?:[0-9a-fA-F:*]{11,17},|set:\w+,)*([A-Za-z][\w-]{2,40}),`, 'hostname'),
  commandForm('node', String.raw`\bnodes?\/((?=[\w.-]*\d)(?=[\w.-]*[-.])[a-z][\w.-]{3,62})(?=[\s"',]|$)`, 'hostname'),
  commandForm(
    'backup backups sicherung',
    String.raw`\b[bB]ackups? (?:of|from|on|auf|von) ((?=[\w.-]*-)[a-z][\w.-]{3,40})(?=[\s,;]|$)`,
    'hostname',
  ),
]
