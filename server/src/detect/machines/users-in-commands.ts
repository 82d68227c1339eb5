import { type CommandForm, commandForm, onlyOnLinesWith } from './command-form.ts'

/** Commands, settings and messages that name an account. */
export const USERS_IN_COMMANDS: readonly CommandForm[] = [
  commandForm(
    'useradd adduser',
    String.raw`\b(?:useradd|adduser)\b[^\n|;&]{0,160}?\s([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`,
    'username',
  ),
  commandForm(
    'identified',
    String.raw`(any case)\b(?:user|for|alter|to(?=\s+['"\x60]))\s+(?:if\s+(?:not\s+)?exists\s+)?["'\x60]?([\w.$-]{2,40})["'\x60]?(?:@["'\x60][^"'\x60\n]{0,60}["'\x60])?\s+identified\s+(?:by|with|via)\s+\S`,
    'username',
  ),
  onlyOnLinesWith(
    ['assword', 'ASSWORD'],
    commandForm(
      'role user login',
      String.raw`(any case)\b(?:create|alter)\s+(?:role|user|login)\s+(?:if\s+not\s+exists\s+)?["\[]?([\w.$-]{2,40})["\]]?\s+(?:with\s+)?(?:(?:no)?(?:login|superuser|createdb|createrole|inherit|replication|encrypted)\s+)*password\b`,
      'username',
    ),
  ),
  commandForm(
    'grant',
    String.raw`(any case)\bgrant\s[^;\n]{2,120}?\sto\s+["'\x60]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["'\x60]?(?=\s*(?:;|with\s|$|\n))`,
    'username',
  ),
  commandForm('mapping', String.raw`(any case)\buser\s+mapping\s+for\s+["]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["]?\s`, 'username'),
  commandForm('pscredential', String.raw`PSCredential\s*(?:-ArgumentList\s*)?\(?\s*["'](?:[\w.-]+\\)?([\w.-]{2,40})["'],?\s`, 'username'),
  commandForm(
    'psql pg',
    String.raw`\b(?:psql|pg_\w+|createdb|dropdb)\b[^\n|;&]{0,120}?\s(?:-U|--username)[ =]?["']?([a-z][\w.-]{2,39})`,
    'username',
  ),
  commandForm('crontab', String.raw`\bcrontab\b[^\n|;&]{0,40}?\s-u\s+([a-z][\w.-]{2,31})`, 'username'),
  commandForm('sudo', String.raw`\[sudo\][^\n]{1,24} (?:for|für|de|para|di) ([a-z][\w.-]{1,31})\s?:`, 'username'),
  commandForm(
    'identified',
    String.raw`(any case)\b(?:alter|create)\s+user\s+(?:if\s+(?:not\s+)?exists\s+)?["'\x60]?([a-z][\w.-]{2,39})["'\x60]?(?:@\S{1,60})?\s+identified\b`,
    'username',
  ),
  commandForm(
    'account utilisateur benutzer usuario utente runs running',
    String.raw`(?:\b(?:AD|domain|unix|linux|ldap|windows) account|[( ](?:utilisateur|[bB]enutzer|usuario|utente)|\brun(?:s|ning) as(?: user)?) ["'\x60]?((?=[\w.-]*[\d_.-])[A-Za-z][\w-]*(?:\.[\w-]+)?)(?=["'\x60]?(?:[\s,;)]|[.:](?:\s|$)|$))`,
    'username',
  ),
  commandForm('als', String.raw`\b[aA]ls ([a-z][\w.-]{2,31}) (?:[^\n.,]{1,40} )?(?:ein|an)(?:zu|ge)?(?:log|meld)`, 'username'),
  commandForm('realm', String.raw`\b(?:[Aa]dded|[Cc]reated|[Rr]emoved|[Dd]eleted) user '([A-Za-z][\w.-]{2,39})'`, 'username'),
  commandForm(
    'login',
    String.raw`\b(?:docker|podman|helm registry|oc|az|skopeo|crane|nerdctl)\s+login\b[^\n|;&]{0,160}?\s(?:-u|--username)[ =]["']?([\w.@+-]{2,60})`,
    'username',
  ),
  commandForm(
    'mysql mysqldump mysqladmin mariadb psql pg_dump pg_restore createdb dropdb mongosh mongodump mongorestore sqlcmd clickhouse redis cqlsh influx rsync',
    String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb|sqlcmd|mongosh|mongodump|mongorestore|cqlsh|psql|pg_dump|pg_restore|createdb|dropdb)\b[^\n|;]{0,160}?\s(?:-[uU]\s?|--user(?:name)?[ =])["']?(?!-)([\w.-]{2,40})`,
    'username',
  ),
  onlyOnLinesWith(['ALL'], commandForm('all', String.raw`(?:^|\n)([a-z_][\w.-]{1,31})\s+ALL\s*=\s*\(`, 'username')),
  commandForm(
    'usermod gpasswd',
    String.raw`\b(?:usermod|gpasswd)\b[^\n|;&]{0,120}?\s([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`,
    'username',
  ),
  commandForm('linger', String.raw`\bloginctl\s+[\w-]+\s+([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`, 'username'),
  commandForm(
    'curl wget',
    String.raw`\b(?:curl|wget|http)\b[^\n|;]{0,260}?\s(?:-u|--user)[ =]["']?([A-Za-z][\w.-]{1,40}):?["']?(?=\s)`,
    'username',
  ),
  commandForm(
    'smbclient snowsql kinit cqlsh isql osql bcp sqlcmd tsql vsql beeline ldapsearch lftp',
    String.raw`\b(?:smbclient|snowsql|cqlsh|isql|osql|bcp|sqlcmd|tsql|vsql|beeline|lftp)\b[^\n|;&]{0,160}?\s(?:-[uUn]|--user(?:name)?)[ =]?["']?(?:[\w.-]+\\)?([A-Za-z][\w.-]{2,39})(?=["'\s%,]|$)`,
    'username',
  ),
  commandForm('kinit', String.raw`\bkinit\s+(?:-\w+\s+)*([A-Za-z][\w.-]{2,39})(?=@|\s|$)`, 'username'),
  onlyOnLinesWith(
    ['.user'],
    commandForm(
      'git',
      String.raw`\bgit\s+config\s+(?:--\w+\s+)*(?:github|gitlab|bitbucket)\.user\s+["']?([A-Za-z][\w.-]{1,39})`,
      'username',
    ),
  ),
  commandForm('owner', String.raw`(any case)\bowner\s+to\s+["\x60]?([a-z][\w.-]{2,39})["\x60]?(?=\s*(?:;|$|\n))`, 'username'),
  commandForm('setuser', String.raw`(any case)\bacl\s+(?:setuser|deluser|getuser)\s+([a-z][\w.-]{2,39})`, 'username'),
  commandForm('credentials', String.raw`\bset-credentials\s+([A-Za-z][\w.@-]{2,39})`, 'username'),
  commandForm('opened', String.raw`\bsession (?:opened|closed) for user \S+ by ([a-z][\w.-]{1,31})\(`, 'username'),
  commandForm(
    'sudoers',
    String.raw`(?:^|[\s"'])([a-z][\w.-]{1,31}) (?:is not in the sudoers file|may run the following|is not allowed to (?:run|execute))`,
    'username',
  ),
  commandForm('sudo', String.raw`(?:^|[\s"'])([a-z][\w.-]{1,31}) is not allowed to (?:run sudo|execute)`, 'username'),
  commandForm(
    'opened approved commented merged reviewed requested closed assigned pushed invited',
    String.raw`(?:^|[\n>] ?|\d{4} )@?((?=[\w-]*[\d-])[a-z][a-z\d]*(?:-?[a-z\d]+){0,3}) (?:opened|approved|commented|merged|reviewed|requested|closed|assigned|pushed|invited) (?:this|a|the|on|these|your|changes|\d|#)`,
    'username',
  ),
  commandForm(
    'attempt attempts login crontab session mailbox quota password ticket failure',
    String.raw`\b(?:login|attempts?|authentication|password|session|crontab|mailbox|quota|ticket|failure|failed|[Ll]ast login|sudo access) (?:for|of|by) ["'\x60]?((?=[\w.-]*(?:\d|[._-][a-z]))[a-z][\w.-]{2,31})["'\x60]?(?=\s|[,;:)]|$)(?!\s+(?:tests?|file|code|page|module))`,
    'username',
  ),
  commandForm('crontab login', String.raw`\b(?:crontab|[Ll]ast login) for ([a-z][\w.-]{2,31})(?=\s*(?:$|\n|[,;:]))`, 'username'),
  commandForm('ssh scp sftp', String.raw`\b(?:ssh|sftp|scp|mosh)\b[^\n|;&]{0,80}?\s-l\s+([A-Za-z][\w.-]{1,39})(?=\s)`, 'username'),
  commandForm('auth kubectl', String.raw`\bkubectl\b[^\n|;&]{0,160}?\s--as[ =]([A-Za-z][\w.-]{2,39})(?=\s|$)`, 'username'),
  commandForm('runas', String.raw`(any case)\brunas\b[^\n]{0,60}?\/user:(?:[\w.-]+\\)?([\w.-]{2,40})`, 'username'),
  commandForm('net', String.raw`(any case)\bnet\s+user\s+([a-z][\w.-]{2,40})(?=\s+\/|\s*$)`, 'username'),
  commandForm(
    'created updated modified opened closed assigned authored reported',
    String.raw`\b(?:[cC]reated|[uU]pdated|[mM]odified|[oO]pened|[cC]losed|[aA]uthored|[rR]eported) by @?((?=[\w-]*\d|[a-z]{6,}(?: \d| on | at ))[a-z][a-z\d-]{3,30})(?= \d{1,2} \w+ ago| on \w| at \d|,|\s*(?:\n|$))`,
    'username',
  ),
  commandForm('whoami user', String.raw`(?:^|\n)([a-z][\w.-]{2,31})@(?:localhost|%|\d{1,3}(?:\.\d{1,3}){3})[ \t]*(?:\n|$)`, 'username'),
  commandForm(
    'password passwort',
    String.raw`(?:^|[\n(] ?)(?:[\w.-]+@[\w.-]+['’]s |[pP]assword for )(?:user )?["'\x60]?([a-z][\w.-]{2,31})["'\x60]?:[ \t]*(?:\n|$)`,
    'username',
  ),
  commandForm(
    'revoke',
    String.raw`(any case)\brevoke\s[^;\n]{2,120}?\sfrom\s+["'\x60]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["'\x60]?(?=\s*(?:;|$|\n|cascade))`,
    'username',
  ),
  commandForm(
    'adding changing',
    String.raw`\b(?:Adding|Changing password for|Creating|Deleting|Updating) user ["']([A-Za-z][\w.-]{2,39})["']`,
    'username',
  ),
  commandForm('identity', String.raw`-Identity\s+["']?([A-Za-z][\w.-]{2,39})["']?(?=\s|$)`, 'username'),
  commandForm('changepassword', String.raw`\bchangepassword\s+([A-Za-z][\w.-]{2,39})(?=\s|$)`, 'username'),
  commandForm('logged', String.raw`\b[lL]ogged (?:in|into|on)\b[^\n]{0,80}? as ["']([A-Za-z][\w.-]{2,39})["']`, 'username'),
]
