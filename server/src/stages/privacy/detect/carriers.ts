import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from './lines.ts'
import { isMachine } from './machines.ts'
import { isPlaceholder } from './placeholders.ts'
import { looksLikePassword, looksLikeSecret } from './secret-values.ts'
import type { PiiType, Report } from './types.ts'

/** Commands and files that carry a user and a password in a form of their own, told by a word of their line. */
interface Carrier {
  /** One of these words begins the look. */
  words: string
  form: RegExp
  /** What the groups of the form hold, in turn. */
  groups: readonly PiiType[]
}

const VALUE = String.raw`(?:'([^'\n]{3,200})'|"([^"\n]{3,200})"|([^\s"'|;&<>]{3,200}))`
/** A value in single quotes, in double quotes or bare takes three groups of the form. */
const ANY_CASE = '(any case)'
const carrier = (words: string, form: string, ...groups: PiiType[]): Carrier => ({
  words,
  // no group with flags of its own, `(?i:…)`: V8 finds other things with it once it has compiled the expression
  form: new RegExp(
    form.replace(ANY_CASE, '').replaceAll('VALUE', VALUE),
    `gd${form.startsWith(ANY_CASE) ? 'i' : ''}${form.includes('\\p{') ? 'u' : ''}`,
  ),
  groups,
})

const CARRIERS: readonly Carrier[] = [
  carrier(
    'sqlplus impdp expdp sqlldr',
    String.raw`\b(?:sqlplus|impdp|expdp|sqlldr)\s+(?:-\w+\s+)*([\w.$-]{2,40})\/(?:"?)([^\s"'@/]{3,80})"?@`,
    'username',
    'password',
  ),
  carrier(
    'smbclient rpcclient smbmap net',
    String.raw`\b(?:smbclient|rpcclient|net)\b[^\n]{0,160}? (?:-U|--user)[ =]?["']?(?:[\w.-]+[\\/])?([\w.$-]{2,40})%([^\s"']{3,80})`,
    'username',
    'password',
  ),
  carrier(
    'net',
    String.raw`(any case)\bnet\s+use\b[^\n]{0,120}?\/user:(?:[\w.-]+\\)?([\w.$-]{2,40})\s+([^\s/"']{4,80})`,
    'username',
    'password',
  ),
  carrier(
    'net',
    String.raw`(any case)\bnet\s+use\b\s+\S+\s+\S+\s+([^\s/"']{4,80})\s+\/user:(?:[\w.-]+\\)?([\w.$-]{2,40})`,
    'password',
    'username',
  ),
  carrier('net', String.raw`\bnet\s+user\s+([\w.-]{2,40})\s+([^\s/"'-][^\s"']{3,80})`, 'username', 'password'),
  carrier(
    'useradd adduser',
    String.raw`\b(?:useradd|adduser)\b[^\n|;&]{0,160}?\s([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`,
    'username',
  ),
  carrier('auth', String.raw`(?:^|[\n>"'] ?)AUTH ((?=\S*\d)(?=\S*[A-Za-z])[^\s"']{6,80})["']?\s*(?:\n|$)`, 'password'),
  carrier(
    'auth',
    String.raw`(?:^|[\n>"'] ?)AUTH ([\w.-]{2,40}) ((?=\S*\d)(?=\S*[A-Za-z])[^\s"']{6,80})["']?\s*(?:\n|$)`,
    'username',
    'password',
  ),
  carrier(
    'curl wget',
    String.raw`\b(?:curl|wget)\b[^\n|;]{0,260}?\s(?:--user|--proxy-user|-U)[ =]["']?([^\s"':@/$]{1,64}):([^\s"']{3,120})`,
    'username',
    'password',
  ),
  carrier('openssl', String.raw`\bopenssl\s+(?:enc|smime|cms)\b[^\n|;]{0,200}?\s-k\s+VALUE`, 'password'),
  carrier('htpasswd', String.raw`\bhtpasswd\s+-(?=\w*b)(?=\w*n)\w+\s+([\w.@-]{2,60})\s+VALUE`, 'username', 'password'),
  carrier('htpasswd', String.raw`\bhtpasswd\s+-(?=\w*b)(?!\w*n)\w+\s+[^\s-]\S*\s+([\w.@-]{2,60})\s+VALUE`, 'username', 'password'),
  carrier('vncpasswd', String.raw`\bvncpasswd\b[^\n|;]{0,60}?<<<\s*VALUE`, 'password'),
  carrier('crypt', String.raw`\bcrypt\(\s*'([^'\n]{4,80})'\s*,\s*gen_salt`, 'password'),
  carrier('community', String.raw`\bcommunity\s+(?!public\b|private\b)([^\s"']{4,60})\s+(?:RW|RO|rw|ro|view)\b`, 'password'),
  carrier(
    'privilege',
    String.raw`\busername\s+([\w.-]{2,40})\s+privilege\s+\d+\s+(?:password|secret)\s+(?:\d\s+)?(\S{4,120})`,
    'username',
    'password',
  ),
  carrier('enable', String.raw`\benable\s+(?:secret|password)\s+(?:level\s+\d+\s+)?(?:\d\s+)?((?=\S*[\d!@#$%])\S{5,120})`, 'password'),
  carrier(
    'secret',
    String.raw`\b(?:gh|heroku|flyctl|fly|wrangler)\s+secrets?\s+(?:set|put)\s+\S+[^\n]{0,80}?(?:--body|-b)[ =]VALUE`,
    'secret',
  ),
  carrier('npm', String.raw`\bnpm\s+config\s+set\s[^\n]{0,80}?:?_(?:authToken|password|auth)[ =]VALUE`, 'auth_token'),
  carrier('thin', String.raw`(jdbc:oracle:thin:[\w.$-]{1,40}\/[^\s"'@]{3,80}@[^\s"'<>]{3,120})`, 'connection_string'),
  carrier(
    'identified',
    String.raw`(any case)\b(?:user|for|alter|to(?=\s+['"\x60]))\s+(?:if\s+(?:not\s+)?exists\s+)?["'\x60]?([\w.$-]{2,40})["'\x60]?(?:@["'\x60][^"'\x60\n]{0,60}["'\x60])?\s+identified\s+(?:by|with|via)\s+\S`,
    'username',
  ),
  carrier(
    'admin administrator root',
    String.raw`\b(?:admin|administrator|root) ?[/:] ?(?!\S*@(?:\d{1,3}\.|[\w-]+\.[a-z]))((?=[^\s/]*\d)(?=[^\s/]*[A-Za-z])(?=[^\s/]*[!@#$%^&*_-])[^\s"'\x60,;<>()/]{6,60})(?=[\s"'\x60,;.)]|$)`,
    'password',
  ),
  carrier(
    'login logging logged signin signing signed',
    String.raw`\b(?:login|log(?:ged|ging) in|signin|sign(?:ed|ing) in|logging on) (?:to \S{2,30} )?(?:with|as|using|via) ["'\x60]?([\w.+-]{2,40}(?:@[\w.-]{3,60})?)["'\x60]? ?(?:\/|:|\|) ?["'\x60]?((?=\S*[\d!@#$%^&*])(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{5,80})`,
    'username',
    'password',
  ),
  carrier(
    'xfreerdp wfreerdp freerdp mstsc cmdkey',
    String.raw`\/(?:u|user):(?:[\w.-]+\\)?([\w.@-]{2,40})\s[^\n]{0,80}?\/(?:p|pass):VALUE`,
    'username',
    'password',
  ),
  carrier('lftp', String.raw`\blftp\b[^\n|;]{0,120}?\s(?:-u|--user)[ =]([\w.@-]{2,40}),([^\s"']{3,80})`, 'username', 'password'),
  carrier('keygen', String.raw`\bssh-keygen\b[^\n|;]{0,160}?\s-[NP]\s+VALUE`, 'password'),
  carrier(
    'creds cred credentials login logins account',
    String.raw`\b(?:creds?|credentials|logins?|account) (?:is|are|as|for [\w -]{1,24}?)\s["'\x60]?([\w.+-]{2,40})["'\x60]? (?:with|and) ["'\x60]?((?=\S*\d)(?=\S*[!@#$%^&*])(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{5,80})`,
    'username',
    'password',
  ),
  carrier('useradd usermod', String.raw`\b(?:useradd|usermod)\b[^\n|;]{0,120}?\s(?:-p|--password)[ =]VALUE`, 'password'),
  carrier(
    'role user login',
    String.raw`(any case)\b(?:create|alter)\s+(?:role|user|login)\s+(?:if\s+not\s+exists\s+)?["\[]?([\w.$-]{2,40})["\]]?\s+(?:with\s+)?(?:(?:no)?(?:login|superuser|createdb|createrole|inherit|replication|encrypted)\s+)*password\b`,
    'username',
  ),
  carrier(
    'grant',
    String.raw`(any case)\bgrant\s[^;\n]{2,120}?\sto\s+["'\x60]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["'\x60]?(?=\s*(?:;|with\s|$|\n))`,
    'username',
  ),
  carrier('mapping', String.raw`(any case)\buser\s+mapping\s+for\s+["]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["]?\s`, 'username'),
  carrier('pscredential', String.raw`PSCredential\s*(?:-ArgumentList\s*)?\(?\s*["'](?:[\w.-]+\\)?([\w.-]{2,40})["'],?\s`, 'username'),
  carrier(
    'password',
    String.raw`\s(?:-u|-U|--user(?:name)?)[ =]?["']?(?!-)([A-Za-z][\w.-]{2,39})["']?\s(?:[^\n|;&]{0,120}?\s)?(?:--password|--pass|--passwd)[ =]`,
    'username',
  ),
  carrier('ready notready', String.raw`(?:^|\n)([a-z][\w.-]{3,62})[ \t]+(?:Ready|NotReady)(?:,\w+)?[ \t]+\S+[ \t]+\d+[dhms]`, 'hostname'),
  carrier('assigned', String.raw`\bassigned \S+ to ([a-z][\w.-]{3,62})(?=\s|$|")`, 'hostname'),
  carrier('node', String.raw`\bNode(?: Name)?:\s+([a-z][\w.-]{3,62})(?:\/[\d.]+)?(?=\s|$)`, 'hostname'),
  carrier(
    'hash hashpw password',
    String.raw`\b(?:password_hash|make_password|generate_password_hash|check_password_hash|hashpw|(?:bcrypt|argon2)\.hash(?:Sync)?)\(\s*b?["']((?=[^"'\n]*\d)[^"'\n\s]{6,80})["']`,
    'password',
  ),
  carrier(
    'sequelize mysqli connect connection pdo',
    String.raw`\b(?:Sequelize|mysqli(?:_connect)?|connect|getConnection|PDO|imap_open|ldap_bind)\(\s*(?:[^()"'\n]{0,40},\s*)?(?:["'][^"'\n]{0,120}["'],\s*)?["']([\w.@=,-]{2,60})["'],\s*["'](?![^"'\n]*(?::\d|\/|\.[a-z]{2,4}["']))((?=[^"'\n]*\d)(?=[^"'\n]*[A-Za-z])[^"'\n\s]{6,80})["']`,
    'username',
    'password',
  ),
  carrier(
    'use uses using try enter type',
    String.raw`\b(?:use|uses|using|try|enter|type) ((?=\S*\d)(?=\S*[!#$%&*])(?=\S*[A-Z])(?=\S*[a-z])[^\s"'\x60,;<>()=/:@]{8,40}) (?:for|to (?:log|sign|get)|as|on|when)\b`,
    'password',
  ),
  carrier(
    'changed rotated reset',
    String.raw`\b(?:changed|rotated|reset)\b[^\n]{0,40}? from ["'\x60]?((?=\S*\d)(?=\S*[!@#$%^&*])(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{6,40})["'\x60]? to ["'\x60]?((?=\S*\d)(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{6,40}?)(?=["'\x60,;)]|[.]?(?:\s|$))`,
    'password',
    'password',
  ),
  carrier(
    'creds cred credentials login logins account access portal vpn signin get log sign zugangsdaten anmeldedaten zugang identifiants identifiant accès credenciales acceso credenziali accesso credenciais acesso inloggegevens toegang',
    String.raw`(?:creds?|credentials|logins?|account|access|portal|vpn|sign ?in|get in|log in|[zZ]ugangsdaten|[aA]nmeldedaten|[zZ]ugang|[iI]dentifiants?|[aA]cc(?:ès|eso|esso)|[cC]reden\w+|acesso|[iI]nloggegevens|[tT]oegang)(?![\p{L}\d])[^\n/|]{0,50}?[\s("'\x60>]([A-Za-z][\w.-]{1,39}(?:@[\w.-]{3,50})?) ?[/|:] ?["'\x60]?((?=[^\s]*\d)(?=[^\s]*[!@#$%^&*+])(?=[^\s]*[A-Za-z])[^\s"'\x60,;<>()/:]{6,40})(?=[\s"'\x60,;.)]|$)`,
    'username',
    'password',
  ),
  carrier(
    'mysql mysqldump mysqladmin mariadb psql pg mongo mongosh clickhouse',
    String.raw`\b(?:mysql\w*|mariadb|psql|pg_\w+|mongo\w*|clickhouse-client)\b[^\n|;&]{0,120}?\s(?:-h|--host)[ =]?["']?([A-Za-z][\w.-]{2,60})`,
    'hostname',
  ),
  carrier(
    'psql pg',
    String.raw`\b(?:psql|pg_\w+|createdb|dropdb)\b[^\n|;&]{0,120}?\s(?:-U|--username)[ =]?["']?([a-z][\w.-]{2,39})`,
    'username',
  ),
  carrier('atlasv', String.raw`(?<![\w.])([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,})`, 'api_key'),
  carrier(
    'rds cache redshift docdb',
    String.raw`(?<![\w.-])([a-z][\w-]*(?:\.[\w-]+){1,4}?\.(?:rds|cache|redshift|docdb)\.amazonaws\.com)(?![\w.-])`,
    'hostname',
  ),
  carrier('crontab', String.raw`\bcrontab\b[^\n|;&]{0,40}?\s-u\s+([a-z][\w.-]{2,31})`, 'username'),
  carrier('sudo', String.raw`\[sudo\][^\n]{1,24} (?:for|für|de|para|di) ([a-z][\w.-]{1,31})\s?:`, 'username'),
  carrier(
    'identified',
    String.raw`(any case)\b(?:alter|create)\s+user\s+(?:if\s+(?:not\s+)?exists\s+)?["'\x60]?([a-z][\w.-]{2,39})["'\x60]?(?:@\S{1,60})?\s+identified\b`,
    'username',
  ),
  carrier(
    'account utilisateur benutzer usuario utente runs running',
    String.raw`(?:\b(?:AD|domain|unix|linux|ldap|windows) account|[( ](?:utilisateur|[bB]enutzer|usuario|utente)|\brun(?:s|ning) as(?: user)?) ["'\x60]?((?=[\w.-]*[\d_.-])[A-Za-z][\w-]*(?:\.[\w-]+)?)(?=["'\x60]?(?:[\s,;)]|[.:](?:\s|$)|$))`,
    'username',
  ),
  carrier('als', String.raw`\b[aA]ls ([a-z][\w.-]{2,31}) (?:[^\n.,]{1,40} )?(?:ein|an)(?:zu|ge)?(?:log|meld)`, 'username'),
  carrier('realm', String.raw`\b(?:[Aa]dded|[Cc]reated|[Rr]emoved|[Dd]eleted) user '([A-Za-z][\w.-]{2,39})'`, 'username'),
  carrier(
    'wifi wi wlan',
    String.raw`\b(?:[wW]i-?[fF]i|WIFI|WLAN|wlan)\b(?![^\n"'\x60]{0,40}\b(?:name|network|called|ssid|SSID|heißt)\b)[^\n"'\x60.]{0,40}? (?:is|ist|est|es|è|=|:) ["'\x60]((?=[^"'\x60\n]*\d)(?=[^"'\x60\n]*[A-Za-z])[^\s"'\x60]{8,63})["'\x60]`,
    'password',
  ),
  carrier(
    'with',
    String.raw`(?:\b[lL]og ?in|\b[sS]ign ?in|https?:\/\/\S+)[^\n]{0,60}? with ([A-Za-z][\w.@-]{2,60}) (?:\/|and) ["'\x60]?((?=[^\s"'\x60]*\d)(?=[^\s"'\x60]*[A-Z])(?=[^\s"'\x60]*[a-z])[^\s"'\x60,;<>()]{8,40})["'\x60]?(?=[\s,.;)]|$)`,
    'username',
    'password',
  ),
  carrier('smbclient cifs', String.raw`\b(?:smbclient|cifs)\b[^\n]{0,80}?\s["']?//([A-Za-z][\w.-]{2,60})/`, 'hostname'),
  carrier('openssl', String.raw`\bopenssl\s+s_client\b[^\n|]{0,100}?-connect[ =]([A-Za-z][\w.-]{3,60})`, 'hostname'),
  carrier(
    'ping traceroute tracepath mtr nslookup dig nc telnet nmap host scp rsync',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?(?:ping|traceroute|tracepath|mtr|nslookup|dig|host|nc|telnet|nmap)\s+(?:[-+]\w+\s+(?:\d+\s+)?)*([A-Za-z][\w-]*(?:\.[\w-]+){2,5})(?=[\s:]|$)`,
    'hostname',
  ),
  carrier('nmap', String.raw`\bNmap scan report for ([A-Za-z][\w.-]{2,60})(?=\s|$)`, 'hostname'),
  carrier('connect', String.raw`\bconnect to ([A-Za-z][\w.-]{2,60})\[[\d.:a-f]+\]:\d`, 'hostname'),
  carrier('relay', String.raw`\brelay=([A-Za-z][\w.-]{2,60})\[`, 'hostname'),
  carrier('server', String.raw`\bserver_name\s+([A-Za-z][\w.-]{3,60})`, 'hostname'),
  carrier('host', String.raw`(?:^|\n)[ \t]*HostName[ \t=]+([A-Za-z][\w.-]{2,60})[ \t]*(?:\n|$)`, 'hostname'),
  carrier(
    'agent',
    String.raw`\b[\w-]*(?:agent|runner)\s+(?:start|register|run|configure|config)\b[^\n]{0,160}?\s--name[ =]["']?([a-z][\w-]{4,40})`,
    'hostname',
  ),
  carrier('computer', String.raw`-ComputerName\s+["']?([A-Za-z][\w.-]{3,60})`, 'hostname'),
  carrier('net', String.raw`\bnet\s+(?:use|view)\s[^\n]{0,40}?\\{1,2}([A-Za-z][\w.-]{3,60})\\?`, 'hostname'),
  carrier('xfreerdp wfreerdp freerdp mstsc rdesktop', String.raw`\/v:([A-Za-z][\w.-]{3,60})`, 'hostname'),
  carrier('proxy', String.raw`\bProxyJump\s+(?:[\w.-]+@)?([a-z][\w-]*[\w.-]{2,60})`, 'hostname'),
  carrier(
    'ping ping6 traceroute tracepath mtr nslookup dig nc telnet nmap mosh wakeonlan tnc',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?(?:ping6?|traceroute|tracepath|mtr|nslookup|nc|telnet|nmap|mosh|tnc)\s+(?:-\w+\s+(?:\d+\s+)?)*((?=[\w.-]*\d)[A-Za-z][A-Za-z0-9]*-?[\w-]*[a-z0-9])(?=\s|$)`,
    'hostname',
  ),
  carrier(
    'ssh scp rsync sftp',
    String.raw`(?:^|[\n$#>&;|❯]\s?)(?:sudo\s+)?ssh\s+(?:-[A-Za-z]+\s+(?:\S*[\d/.=~]\S*\s+)?)*((?=[\w-]*[\d-])[a-z][a-z0-9-]{3,40})(?=\s|$)`,
    'hostname',
  ),
  carrier(
    'chpasswd',
    String.raw`echo\s+["']?([a-z_][\w.-]{1,31}):([^\s"'|]{3,80})["']?\s*\|\s*(?:sudo\s+)?chpasswd`,
    'username',
    'password',
  ),
  carrier('sudo', String.raw`(?:echo|printf)\s+(?:-\w\s+)?VALUE\s*\|\s*sudo\s+(?:-\w+\s+)*-S\b`, 'password'),
  carrier('stdin', String.raw`(?:echo|printf)\s+(?:-\w\s+)?VALUE\s*\|[^|\n]{0,120}--password-stdin`, 'password'),
  carrier(
    'login',
    String.raw`\b(?:docker|podman|helm registry|oc|az|skopeo|crane|nerdctl)\s+login\b[^\n|;&]{0,160}?\s(?:-u|--username)[ =]["']?([\w.@+-]{2,60})`,
    'username',
  ),
  carrier(
    'mysql mysqldump mysqladmin mariadb psql pg_dump pg_restore createdb dropdb mongosh mongodump mongorestore sqlcmd clickhouse redis cqlsh influx rsync',
    String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb|sqlcmd|mongosh|mongodump|mongorestore|cqlsh|psql|pg_dump|pg_restore|createdb|dropdb)\b[^\n|;]{0,160}?\s(?:-[uU]\s?|--user(?:name)?[ =])["']?(?!-)([\w.-]{2,40})`,
    'username',
  ),
  carrier('secure', String.raw`ConvertTo-SecureString\s+(?:-String\s+)?VALUE`, 'password'),
  carrier(
    'networkcredential pscredential',
    String.raw`(?:NetworkCredential|PSCredential)\(\s*["']([\w.@\\-]{2,60})["'],\s*["']([^"'\n]{3,120})["']`,
    'username',
    'password',
  ),
  carrier('identified', String.raw`(any case)\bidentified\s+(?:with\s+\S+\s+)?by\s+(?:password\s+)?['"]([^'"\n]{3,120})['"]`, 'password'),
  carrier('all', String.raw`(?:^|\n)([a-z_][\w.-]{1,31})\s+ALL\s*=\s*\(`, 'username'),
  carrier('passin passout openssl', String.raw`\bpass:([^\s"'|;]{4,100})`, 'password'),
  carrier('storepass keypass', String.raw`-(?:src|dest)?(?:storepass|keypass)\s+VALUE`, 'password'),
  carrier(
    'alias',
    String.raw`\bmc\s+(?:alias|config host)\s+(?:set|add)\s+\S+\s+\S+\s+([^\s"']{3,60})\s+([^\s"']{6,80})`,
    'api_key',
    'secret',
  ),
  carrier(
    'creds cred credentials login logins',
    String.raw`\b(?:creds?|credentials|logins?)(?: (?:is|are|with|as|for [\w -]{1,24}?))?\s*[:=]?\s+["'\x60]?([\w.+-]{2,40}(?:@[\w.-]{3,60})?)["'\x60]?\s*(?: \/ | \| |:(?=\S)|,? (?:pw|pass|password):? )\s*["'\x60]?((?=[^\s]*[\d!@#$%^&*])(?=[^\s]*[A-Za-z])[^\s"'\x60,;<>]{5,80})`,
    'username',
    'password',
  ),
  carrier('vault', String.raw`\bvault\s+login\s+(?:-\w+\s+|token=)*([^\s"'=-][^\s"'=]{15,120})`, 'auth_token'),
  carrier('expect send', String.raw`\bsend\s+(?:--\s+)?"([^"\n\\]{4,80})(?:\\+r|\r|\n|$)`, 'password'),
  carrier(
    'mount cifs',
    String.raw`\busername=([\w.-]{2,40}),(?:domain=[^,\s]{1,40},)?pass(?:word)?=([^\s,"']{3,80})`,
    'username',
    'password',
  ),
  carrier(
    'usermod gpasswd',
    String.raw`\b(?:usermod|gpasswd)\b[^\n|;&]{0,120}?\s([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`,
    'username',
  ),
  carrier('linger', String.raw`\bloginctl\s+[\w-]+\s+([a-z][a-z0-9._-]{1,31})(?=\s*(?:$|\n|[;&|]))`, 'username'),
  carrier(
    'curl wget',
    String.raw`\b(?:curl|wget|http)\b[^\n|;]{0,260}?\s(?:-u|--user)[ =]["']?([A-Za-z][\w.-]{1,40}):?["']?(?=\s)`,
    'username',
  ),
  carrier(
    'smbclient snowsql kinit cqlsh isql osql bcp sqlcmd tsql vsql beeline ldapsearch lftp',
    String.raw`\b(?:smbclient|snowsql|cqlsh|isql|osql|bcp|sqlcmd|tsql|vsql|beeline|lftp)\b[^\n|;&]{0,160}?\s(?:-[uUn]|--user(?:name)?)[ =]?["']?(?:[\w.-]+\\)?([A-Za-z][\w.-]{2,39})(?=["'\s%,]|$)`,
    'username',
  ),
  carrier(
    'sqlcmd bcp osql isql',
    String.raw`\b(?:sqlcmd|bcp|osql|isql)\b[^\n|;&]{0,160}?\s-S[ =]?["']?(?:tcp:)?([A-Za-z][\w.-]{2,60})`,
    'hostname',
  ),
  carrier('kinit', String.raw`\bkinit\s+(?:-\w+\s+)*([A-Za-z][\w.-]{2,39})(?=@|\s|$)`, 'username'),
  carrier('git', String.raw`\bgit\s+config\s+(?:--\w+\s+)*(?:github|gitlab|bitbucket)\.user\s+["']?([A-Za-z][\w.-]{1,39})`, 'username'),
  carrier('owner', String.raw`(any case)\bowner\s+to\s+["\x60]?([a-z][\w.-]{2,39})["\x60]?(?=\s*(?:;|$|\n))`, 'username'),
  carrier('setuser', String.raw`(any case)\bacl\s+(?:setuser|deluser|getuser)\s+([a-z][\w.-]{2,39})`, 'username'),
  carrier('credentials', String.raw`\bset-credentials\s+([A-Za-z][\w.@-]{2,39})`, 'username'),
  carrier('opened', String.raw`\bsession (?:opened|closed) for user \S+ by ([a-z][\w.-]{1,31})\(`, 'username'),
  carrier(
    'sudoers',
    String.raw`(?:^|[\s"'])([a-z][\w.-]{1,31}) (?:is not in the sudoers file|may run the following|is not allowed to (?:run|execute))`,
    'username',
  ),
  carrier('sudo', String.raw`(?:^|[\s"'])([a-z][\w.-]{1,31}) is not allowed to (?:run sudo|execute)`, 'username'),
  carrier(
    'opened approved commented merged reviewed requested closed assigned pushed invited',
    String.raw`(?:^|[\n>] ?|\d{4} )@?((?=[\w-]*[\d-])[a-z][a-z\d]*(?:-?[a-z\d]+){0,3}) (?:opened|approved|commented|merged|reviewed|requested|closed|assigned|pushed|invited) (?:this|a|the|on|these|your|changes|\d|#)`,
    'username',
  ),
  carrier(
    'attempt attempts login crontab session mailbox quota password ticket failure',
    String.raw`\b(?:login|attempts?|authentication|password|session|crontab|mailbox|quota|ticket|failure|failed|[Ll]ast login|sudo access) (?:for|of|by) ["'\x60]?((?=[\w.-]*(?:\d|[._-][a-z]))[a-z][\w.-]{2,31})["'\x60]?(?=\s|[,;:)]|$)(?!\s+(?:tests?|file|code|page|module))`,
    'username',
  ),
  carrier('crontab login', String.raw`\b(?:crontab|[Ll]ast login) for ([a-z][\w.-]{2,31})(?=\s*(?:$|\n|[,;:]))`, 'username'),
  carrier(
    'ssh sshing',
    String.raw`\bssh(?:ed|ing)? (?:in)?to (?:the )?["'\x60]?((?=[\w.-]*[-\d])[A-Za-z][\w.-]{2,60}?)["'\x60]?(?=[\s,;:)!?]|\.(?:\s|$)|$)`,
    'hostname',
  ),
  carrier(
    'go hop jump switch connect log rdp',
    String.raw`\b(?:go|hop|jump|switch|connect|rdp|log) (?:in|on)?to (?:host |server |the )?["'\x60]?((?=[a-z.-]*\d)[a-z][a-z]{2,}[\w.-]*?\d{1,3}[a-z]?)["'\x60]?(?=[\s,;:)!?]|\.(?:\s|$)|$)`,
    'hostname',
  ),
  carrier('ping', String.raw`\b(?:ping6?: ([A-Za-z][\w.-]{2,60}): |PING ([A-Za-z][\w.-]{2,60}) \()`, 'hostname'),
  carrier(
    'mount nfs scp rsync sshfs',
    String.raw`\b(?:mount|scp|rsync|sshfs|nfs)\b[^\n|;&]{0,160}?\s["']?(?:[\w.-]+@)?([A-Za-z][\w-]*(?:\.[\w-]+)*):(?:\/|~)`,
    'hostname',
  ),
  carrier(
    'smbclient cifs smb mount',
    String.raw`(?:\bsmbclient|\bcifs|\bsmb:|\bmount)[^\n]{0,80}?\/\/(?:[\w.-]+@)?([A-Za-z][\w.-]{2,60})(?=[\/\s"']|$)`,
    'hostname',
  ),
  carrier(
    'requirepass masterauth',
    String.raw`(?:^|[\n] ?)(?:requirepass|masterauth)\s+["']?([^\s"']{6,100})["']?[ \t]*(?:\n|$)`,
    'password',
  ),
  carrier(
    'login auth authenticate token signin',
    String.raw`(?:^|[\n$>&;|❯]\s?)(?:sudo )?(?:npx |pnpm |uvx )?[a-z][\w-]{1,24}(?: [a-z]\w{2,14})? (?:login|auth|authenticate|token|set-token|signin)(?: (?:add|set|login|save|-k|-t|--?(?:api-?)?(?:key|token)))?[ =]["']?((?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])(?:[0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{24,120}(?:\.[\w-]{10,})?))["']?[ \t]*(?:\n|$)`,
    'api_key',
  ),
  carrier(
    'creds credentials login logins',
    String.raw`\b(?:creds|credentials|logins?)\b[^\n]{0,40}?[:=] ?["'\x60]?([a-z][\w.-]{2,39})["'\x60]? ?[,;|] ?["'\x60]?((?=\S*\d)(?=\S*[A-Z])[^\s"'\x60,;<>()]{8,60})(?=["'\x60,;)\s]|$)`,
    'username',
    'password',
  ),
  carrier(
    'stays remains',
    String.raw`\b(?:login|user|account|admin) (?:stays|remains|is|bleibt) ["'\x60]?([A-Za-z][\w.-]{2,39})["'\x60]? (?:with|\/|and|mit) ["'\x60]?((?=[^\s]*[\d!@#$%^&*])[^\s"'\x60,;<>()]{6,60})(?=["'\x60,;)\s]|$)`,
    'username',
    'password',
  ),
  carrier(
    'client',
    String.raw`\b\w*Client(?:\.new|\.create)?\(\s*["'][^"'\n]{3,60}["'],\s*["']([0-9a-f]{32,64}|(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Za-z0-9_-]{30,64})["']`,
    'api_key',
  ),
  carrier('ssh scp sftp', String.raw`\b(?:ssh|sftp|scp|mosh)\b[^\n|;&]{0,80}?\s-l\s+([A-Za-z][\w.-]{1,39})(?=\s)`, 'username'),
  carrier('auth kubectl', String.raw`\bkubectl\b[^\n|;&]{0,160}?\s--as[ =]([A-Za-z][\w.-]{2,39})(?=\s|$)`, 'username'),
  carrier('runas', String.raw`(any case)\brunas\b[^\n]{0,60}?\/user:(?:[\w.-]+\\)?([\w.-]{2,40})`, 'username'),
  carrier('net', String.raw`(any case)\bnet\s+user\s+([a-z][\w.-]{2,40})(?=\s+\/|\s*$)`, 'username'),
  carrier(
    'ftp',
    String.raw`(?:^|[\n>] ?)user ([\w.-]{2,40}) ((?=\S*\d)(?=\S*[A-Za-z])[^\s"']{6,80})[ \t]*(?:\n|$)`,
    'username',
    'password',
  ),
  carrier(
    'created updated modified opened closed assigned authored reported',
    String.raw`\b(?:[cC]reated|[uU]pdated|[mM]odified|[oO]pened|[cC]losed|[aA]uthored|[rR]eported) by @?((?=[\w-]*\d|[a-z]{6,}(?: \d| on | at ))[a-z][a-z\d-]{3,30})(?= \d{1,2} \w+ ago| on \w| at \d|,|\s*(?:\n|$))`,
    'username',
  ),
  carrier('whoami user', String.raw`(?:^|\n)([a-z][\w.-]{2,31})@(?:localhost|%|\d{1,3}(?:\.\d{1,3}){3})[ \t]*(?:\n|$)`, 'username'),
  carrier(
    'unlock open decrypt',
    String.raw`\b(?:unlock|open|decrypt|unzip|entsperren|öffnen)(?:s|ed)?\b[^\n]{0,40}? (?:with|mit|avec|con) ["'\x60]?((?=\S*\d)(?=\S*[!@#$%^&*])(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{7,60}?)(?=["'\x60,;)]|[.]?(?:\s|$))`,
    'password',
  ),
  carrier(
    'wifi wlan guest',
    String.raw`\b(?:[wW]i-?[fF]i|WLAN|wlan)\b:? ["'\x60]?([\w -]{2,24}?)["'\x60]? \/ ["'\x60]?((?=\S*\d)(?=\S*[A-Za-z])[^\s"'\x60,;<>()]{8,63})(?=["'\x60,;)\s]|$)`,
    'date',
    'password',
  ),
  carrier(
    'device',
    String.raw`\b[dD]evice ((?:iPhone|iPad|MacBook|Galaxy|Pixel|SURFACE|LAPTOP|DESKTOP)-(?:von|de|di|of|van|s)?-?[A-Za-z][\w-]{2,30})(?=\s|$)`,
    'hostname',
  ),
  carrier(
    'ansible docker',
    String.raw`\b(?:ansible\s+|docker\s[^\n]{0,40}ssh:\/\/(?:\w+@)?)((?=[\w.-]*\d)[a-z][\w.-]{3,60})(?=\s|$)`,
    'hostname',
  ),
  carrier(
    'host server node machine box',
    String.raw`\b(?:host|server|node|machine|box) ["'\x60]?((?=[a-z.-]*\d)[a-z]{3,}[\w.-]*)["'\x60]? (?:is|was|went|has been|not|cannot|keeps|ran|runs|seems|failed|died|crashed|refuses|unreachable|down|offline|rebooted)\b`,
    'hostname',
  ),
  carrier(
    'rebooted restarted patched provisioned',
    String.raw`\b(?:rebooted|restarted|patched|provisioned|drained|cordoned) ((?=[a-z.-]*-[\w-]*\d)[a-z]{3,}[\w.-]*)(?=[\s,;]|[.](?:\s|$)|$)`,
    'hostname',
  ),
  carrier(
    'password passwort',
    String.raw`(?:^|[\n(] ?)(?:[\w.-]+@[\w.-]+['’]s |[pP]assword for )(?:user )?["'\x60]?([a-z][\w.-]{2,31})["'\x60]?:[ \t]*(?:\n|$)`,
    'username',
  ),
  carrier(
    'revoke',
    String.raw`(any case)\brevoke\s[^;\n]{2,120}?\sfrom\s+["'\x60]?((?=[\w.-]*[_.\d-])[a-z][\w.-]{2,39})["'\x60]?(?=\s*(?:;|$|\n|cascade))`,
    'username',
  ),
  carrier(
    'account login user zugang compte cuenta',
    String.raw`\b(?:account|login|user|[zZ]ugang|compte|cuenta):? ["'\x60]?((?=[\w.-]*[\d._-])[a-z][\w.-]{2,39})["'\x60]? [/|] ["'\x60]?((?=\S*\d)(?=\S*[A-Za-z])[^\s"'\x60,;<>()/]{6,60}?)(?=["'\x60,;)]|[.]?(?:\s|$))`,
    'username',
    'password',
  ),
  carrier('dhcp', String.raw`\bdhcp-host=(?:[0-9a-fA-F:*]{11,17},|set:\w+,)*([A-Za-z][\w-]{2,40}),`, 'hostname'),
  carrier('node', String.raw`\bnodes?\/((?=[\w.-]*\d)(?=[\w.-]*[-.])[a-z][\w.-]{3,62})(?=[\s"',]|$)`, 'hostname'),
  carrier(
    'backup backups sicherung',
    String.raw`\b[bB]ackups? (?:of|from|on|auf|von) ((?=[\w.-]*-)[a-z][\w.-]{3,40})(?=[\s,;]|$)`,
    'hostname',
  ),
  carrier('wpa ssid', String.raw`\bwpa_passphrase\s+(?:"[^"\n]+"|\S+)\s+VALUE`, 'password'),
  carrier('wifi', String.raw`\bdevice\s+wifi\s+connect\s+(?:"[^"\n]+"|\S+)\s+password\s+VALUE`, 'password'),
]

/** Word of a line to the carriers it may belong to. */
export const CARRIED = new Map<string, Carrier[]>()
for (const one of CARRIERS) for (const word of one.words.split(' ')) CARRIED.set(word, [...(CARRIED.get(word) ?? []), one])

const BACK = 200
const ON = 320

type Gate = (text: string, start: number, end: number) => boolean
const entering: Gate = (text, _start, end) => text.startsWith(' in', end)
const fromOne: Gate = (text, _start, end) => text.slice(end, end + 60).includes(' from ')
const signAhead: Gate = (text, _start, end) => {
  for (let at = end + 1; at < end + 42; at += 1) {
    const code = text.charCodeAt(at)
    if (!(code > 32)) return false
    if (code === 33 || (code >= 35 && code <= 38) || code === 42) return true // ! # $ % & *
  }
  return false
}
/** Everyday words: what must stand beside them before their line is worth a look. */
const GATES = new Map<string, Gate>([
  ['get', entering],
  ['log', entering],
  ['sign', entering],
  ...['use', 'uses', 'using', 'try', 'enter', 'type'].map((word): [string, Gate] => [word, signAhead]),
  ...['changed', 'rotated', 'reset'].map((word): [string, Gate] => [word, fromOne]),
  ['connect', (text, _start, end) => text.charCodeAt(end) === 40 || text.startsWith(' to ', end)],
  ['host', (text, start, end) => text.charCodeAt(start) === 72 || (text.charCodeAt(end) === 32 && text.charCodeAt(start - 1) <= 36)],
  ['with', (text, _start, end) => /^ [\w.@-]{3,61} (?:\/|and) [^\s]*\d/.test(text.slice(end, end + 110))],
  ...['rds', 'cache', 'redshift', 'docdb'].map((word): [string, Gate] => [word, (text, start) => text.charCodeAt(start - 1) === 46]),
  ['owner', (text, _start, end) => /^ to /i.test(text.slice(end, end + 4))],
  ['client', (text, _start, end) => text.charCodeAt(end) === 46 || text.charCodeAt(end) === 40],
  ...['server', 'node', 'machine', 'box'].map((word): [string, Gate] => [
    word,
    (text, start, end) =>
      (word === 'server' && text.startsWith('_name', end)) ||
      (word === 'node' && (text.charCodeAt(start) === 78 || text.charCodeAt(end) === 47)) ||
      (word === 'host' && text.charCodeAt(start) === 72) ||
      (text.charCodeAt(end) === 32 && /^ ["'\x60]?[a-z]{3}[\w.-]{0,40}\d/.test(text.slice(end, end + 48))),
  ]),
  ['go', (text, _start, end) => text.startsWith(' to ', end)],
  ['hop', (text, _start, end) => text.startsWith(' ', end)],
  ...['opened', 'approved', 'commented', 'merged', 'reviewed', 'requested', 'closed', 'assigned', 'pushed', 'invited'].map(
    (word): [string, Gate] => [word, (text, start, end) => text.charCodeAt(end) === 32 && text.charCodeAt(start - 1) === 32],
  ),
  ['login', (text, start, end) => text.charCodeAt(end) === 32 || text.charCodeAt(start - 1) === 32],
  ['session', (text, _start, end) => text.charCodeAt(end) === 32],
  ['agent', (text, _start, end) => text.charCodeAt(end) === 32],
  ['password', (text, start, end) => text.charCodeAt(start - 1) === 45 || text.charCodeAt(end) === 95 || text.startsWith(' for ', end)],
])

/** The line of a word of CARRIED is asked for the forms of that word. */
export function carriedAt(text: string, start: number, end: number, report: Report): void {
  const word = text.slice(start, end).toLowerCase()
  if (GATES.get(word)?.(text, start, end) === false) return
  const from = lineStart(text, start, BACK)
  const lead = from > 0 && text[from - 1] === '\n' ? from - 1 : from
  const line = text.slice(lead, lineEnd(text, end, ON))
  for (const { form, groups } of CARRIED.get(word) ?? []) {
    form.lastIndex = 0
    const match = form.exec(line)
    if (match?.indices === undefined) continue
    const places = match.indices.slice(1).filter((place) => place !== undefined)
    for (const [index, [first, last]] of places.entries()) {
      const type = groups[index]
      const value = line.slice(first, last)
      if (type !== undefined && type !== 'date' && isWorth(type, value)) report(type, 'carrier', lead + first, lead + last, 0.8)
    }
  }
}

function isWorth(type: PiiType, value: string): boolean {
  if (type === 'password' && /^\$\d\w?\$/.test(value)) return value.length > 20
  if (isPlaceholder(value) || /^[$%<{]/.test(value)) return false
  if (type === 'connection_string') return true
  if (type === 'username') return isUser(value) && !UUID.test(value) && !/[@=]/.test(value)
  if (type === 'hostname')
    return (
      isHost(value) &&
      !/^ip-\d+-\d+/.test(value) &&
      (/[-\d]/.test(value) || isMachine(value)) &&
      !/^(?:docker|container|host|server|node|app)-?\d?$/.test(value) &&
      (!value.includes('.') || isMachine(value))
    )
  if (type === 'password' && /\s/.test(value) && /^[a-z]{2,8} \S+$|\.\w{2,4}$/.test(value)) return false
  if (type === 'password') return looksLikePassword(value, { quoted: false, firm: true }) || / /.test(value)
  return looksLikeSecret(value, { quoted: true, uuid: true, least: 8 }) || /[A-Z].*\d|\d.*[A-Z]/.test(value)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const PGPASS = /([\w.*-]{1,100}):(\d{2,5}|\*):([\w.*-]{1,63}):([\w.-]{1,63}):([^\s:"']{3,100})(?=[ \t]*(?:\r?\n|$))/dy
const HTPASSWD = /([\w.@-]{2,60}):(\$(?:apr1|2[abxy]|5|6|1|y)\$[./\w$=,-]{20,200}|\{(?:SSHA|SHA|MD5)\}[A-Za-z0-9+/=]{20,80})/dy
/** `host:5432:base:user:password` of .pgpass, `user:$apr1$…` of htpasswd and shadow: their first colon stands at `at`. */
export function passwordFileAt(text: string, at: number, report: Report): void {
  const next = text.charCodeAt(at + 1)
  const isHash = next === 36 || next === 123
  if (!isHash && text.charCodeAt(at + 2) !== 58 && text.charCodeAt(at + 5) !== 58 && text.charCodeAt(at + 6) !== 58) return
  let start = at
  while (start > 0 && at - start < 100 && /[\w.*@-]/.test(text[start - 1]!)) start -= 1
  if (start === at) return
  const form = isHash ? HTPASSWD : PGPASS
  form.lastIndex = start
  const places = form.exec(text)?.indices
  if (places === undefined) return
  if (isHash) {
    const [, user, hash] = places
    if (isUser(text.slice(...user!))) report('username', 'htpasswd', user![0], user![1], 0.75)
    report('password', 'htpasswd', hash![0], hash![1], 0.8)
    return
  }
  if (start > 0 && text[start - 1] !== '\n') return
  const [, host, , , user, password] = places
  const value = text.slice(...password!)
  if (/^\d+(?:\.\d+)*$/.test(value) || !looksLikePassword(value, { quoted: false, firm: true })) return
  if (/[.]/.test(text.slice(...host!)) && !isHost(text.slice(...host!))) return
  if (isUser(text.slice(...user!))) report('username', 'pgpass', user![0], user![1], 0.75)
  report('password', 'pgpass', password![0], password![1], 0.8)
}
