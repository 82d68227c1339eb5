import { isMember } from '../expressions.ts'
import { isInternalHost } from './domains.ts'
import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from '../lines.ts'
import { entropyOf, isPlaceholder } from '../secrets/placeholders.ts'
import { isMachineUnder } from './machine-names.ts'
import { providerKeyAt } from '../secrets/provider-keys.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

const SCHEME = /(?:jdbc:)?[a-z][a-z0-9+.-]{1,30}$/i
const DATABASE =
  /^(?:jdbc:.*|postgres(?:ql)?(?:\+\w+)?|pgsql|mysql[x2]?(?:\+\w+)?|mariadb(?:\+\w+)?|mongodb(?:\+srv)?|rediss?|amqps?|mssql(?:\+\w+)?|sqlserver|oracle(?:\+\w+)?|cockroachdb|clickhouse(?:\+\w+)?|snowflake|redshift(?:\+\w+)?|cassandra|neo4j(?:\+s+c?)?|bolt(?:\+s+c?)?|nats|kafka|memcached|ldaps?|smtps?(?:\+\w+)?|influxdb|couchdb|db2|ibmdb|libsql|surrealdb|ws?ss?ql|sqlalchemy|stomp|mqtts?|elasticsearch|sybase|trino|presto|hive2?|vertica|teradatasql)$/i
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)$/i
const DEFAULT_NAMES =
  /^(?:postgres|mysql|root|admin|user|username|guest|test|tester|testuser|password|passwd|pass|secret|example|mongo|mongodb|redis|rabbitmq|app|dev|demo|sa|minio(?:admin)?|default|dbuser|dbpass|pw|u|p|foo|bar|me|my|mypassword|mysecretpassword|myuser|changeme|x-access-token|oauth2|token|x-token-auth|git|elastic|neo4j|db|web|api|postgrespw|postgrespassword)\d{0,3}$/i
/** Query parameters whose values are credentials. */
const QUERY =
  /[?&;#](?:[\w.-]{0,30}?(?:token|api[-_]?key|apikey|rlkey|access[-_]?key|subscription[-_]key|secret|passw(?:or)?d|pwd|signature|credential|auth|session(?:[-_]?id)?|jwt|ticket|hmac)|key|sig|code|sid|pass|app_?id|access|hash)=([^&#\s"'<>`]{6,2000})/gi
/** Longest part of a link after its `://`. */
const LONGEST = 4000
const END = /[^\s"'<>`{}|\\^]{0,4000}/y
/** Longest part that is read of a link inside another link. */
const NEAR = 500
const END_INNER = /[^\s"'<>`{}|\\^]{0,500}/y

/** Reports credentials or an internal host in the URL whose `://` is at `colon`. Returns its end. */
export function urlAt(text: string, colon: number, report: Report): number {
  const head = text.slice(Math.max(0, colon - 40), colon)
  const scheme = SCHEME.exec(head)?.[0]
  if (scheme === undefined) return colon + 3
  const start = colon - scheme.length
  // of links without spaces between them, each would otherwise read all following ones
  const form = isInLink(text, colon) ? END_INNER : END
  let body = matchAt(form, text, colon + 3)?.[0] ?? ''
  // a value in braces: `;password={…};encrypt=true`
  if (/^jdbc:/i.test(scheme) && body.endsWith('=') && text[colon + 3 + body.length] === '{') {
    body += matchAt(BRACED, text, colon + 3 + body.length)?.[0] ?? ''
  }
  // a template or variable in the user part: its end is unknown, so nothing is reported
  if (/^[^/@\s]*$/.test(body) && text[colon + 3 + body.length] === '{') return colon + 3 + body.length
  const isDatabase = DATABASE.test(scheme)
  body = withoutTail(body)
  if (!isDatabase && body.includes(',')) body = (LISTED_HOST.exec(body)?.[0] ?? body).replace(NEXT_OF_LIST, '')
  const end = colon + 3 + body.length
  const authority = /^[^/?#]*/.exec(body)![0]
  const sign = userPart(body, authority, isDatabase)
  const rest = sign >= 0 ? body.slice(sign + 1) : body
  const host = /^(?:\[[^\]]*\]|[^/?#:,]*)/.exec(rest)![0]
  if (sign > 0) {
    const info = body.slice(0, sign)
    const split = info.indexOf(':')
    const user = split < 0 ? info : info.slice(0, split)
    const password = split < 0 ? '' : info.slice(split + 1)
    const userAt = colon + 3
    // the whole link grants access, whatever the scheme
    if (password !== '' && grantsAccess(user, password, host)) {
      report('connection_string', 'url', start, end, 0.95, true)
      return end
    } else if (split < 0 && user !== '') {
      if (
        (user.length >= 20 && /\d/.test(user) && entropyOf(user) > 3 && !isPlaceholder(user)) ||
        (user.length >= 16 && providerKeyAt(text, userAt) !== null)
      ) {
        report('connection_string', 'url', start, end, 0.9, true)
        return end
      } else if (!/^git$/i.test(user) && isUser(user) && /^[\w.+-]+$/.test(user))
        report('username', 'url', userAt, userAt + user.length, 0.7)
    }
  }
  if (body.length === LONGEST) return end
  for (const match of body.matchAll(QUERY)) {
    const value = match[1]!
    const name = match[0].slice(1, match[0].indexOf('='))
    if (isPlaceholder(value) || (/^[%$<{[]/.test(value) && !/^jdbc:/i.test(scheme)) || /^(?:true|false|null|\d{1,7})$/.test(value)) continue
    if (/^(?:app_?id|hash|access|ticket)$/i.test(name) && !/^(?=.*\d)[0-9a-zA-Z_-]{24,}$/.test(value)) continue
    const isSecretName = !/^(?:key|code|sid|auth|token)$/i.test(name)
    const isRandom = value.length >= 16 && /\d/.test(value) && entropyOf(value) >= 3
    if (
      !isRandom &&
      !(isSecretName && /passw|pwd|secret/i.test(name) && value.length >= 6) &&
      !(value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= 2.8)
    )
      continue
    if (/^code$/i.test(name) && !/oauth|callback|login/i.test(body)) continue
    if (/^otpauth/i.test(scheme)) {
      const at = colon + 3 + match.index + match[0].length - value.length
      report('secret', 'query', at, at + value.length, 0.9)
      continue
    }
    report('connection_string', 'query', start, end, 0.85)
    return end
  }
  if (WEBHOOK.test(body) || NODE_OF_CHAIN.test(body) || (body.length > 30 && ONE_TIME.test(body))) {
    if (/x{8}|0{8}\//i.test(body)) return end
    report('connection_string', 'webhook', start, end, 0.95, true)
    return end
  }
  if (NUMBERED_HOST.test(host) && isHost(host)) {
    const at = colon + 3 + Math.max(0, sign + 1)
    report('hostname', 'numbered host', at, at + host.length, 0.6)
    return end
  }
  if (isDatabase && sign <= 0 && isMachineUnder(host)) {
    report('hostname', 'database host', colon + 3, colon + 3 + host.length, 0.7)
    return end
  }
  if (isInternalHost(host)) {
    if (sign <= 0 && /^(?:https?|wss?|ftp|git|grpc)$/i.test(scheme)) report('url', 'internal host', start, end, 0.75)
    else report('hostname', 'internal host', colon + 3 + Math.max(0, sign + 1), colon + 3 + Math.max(0, sign + 1) + host.length, 0.7)
  }
  return end
}

/** Whether a `://` comes before this one without a space, close enough for its link to reach here. */
function isInLink(text: string, colon: number): boolean {
  const before = text.slice(Math.max(0, colon - NEAR), colon)
  const first = before.lastIndexOf('://')
  return first >= 0 && !/[\s"'<>`{}|\\^]/.test(before.slice(first))
}

/** Without a trailing HTML entity or the punctuation of the sentence. */
function withoutTail(body: string): string {
  const entity = body.indexOf('&quot')
  if (entity >= 0) return body.slice(0, entity)
  let end = body.length
  while (end > 0 && ENDING.includes(body[end - 1]!)) end -= 1
  return body.slice(0, end)
}
const ENDING = '),.;:!?]*'

/** End of the user part, or -1. In database links, whose paths contain no "@", the last "@" ends it: passwords contain any character. */
function userPart(body: string, authority: string, isDatabase: boolean): number {
  const first = authority.lastIndexOf('@')
  if (!isDatabase || !authority.includes(':')) return first
  if (first < 0 && /:\d+$/.test(authority)) return -1
  const last = body.slice(0, body.includes('?') ? body.indexOf('?') : body.length).lastIndexOf('@')
  return last < 0 ? first : last
}
const BRACED = /\{[^{}\n"'`]{1,200}\}[^\s"'<>`{}|\\^]*/y
/** A list of addresses: `https://a.b,direct`. */
const LISTED_HOST = /^[^/?#,]*@[^/?#,]*(?=,)/
const NEXT_OF_LIST = /,(?=[a-z][a-z0-9+.-]{1,20}:\/\/).*$/

/** Paths of one-time sign-in links. */
const ONE_TIME =
  /\/(?:[\w-]*[-_])?(?:invit(?:e|ation)s?|reset|reset[-_]?password|password[-_]?reset|verify|verification|confirm(?:ation)?|activat(?:e|ion)|magic(?:[-_]?link)?|unsubscribe|accept|one[-_]?time|passwordless)(?:\/|\?[a-z]{1,8}=)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?:[/?&#]|$)/i
/** Addresses of blockchain nodes with the key in the path. */
const NODE_OF_CHAIN =
  /^[\w.-]+\.(?:infura\.io|alchemy\.com|alchemyapi\.io|ankr\.com|quiknode\.pro|getblock\.io|chainstack\.com|moralis-nodes\.com)\/(?:[\w-]+\/){0,3}(?=[\w-]*\d)[\w-]{24,}/i

/** Webhooks: anyone who knows the address can post to it. */
const WEBHOOK =
  /^(?:[\w.-]+\/(?:[\w.-]+\/){0,6}(?:webhooks?|hooks?)\/(?:[\w@.-]+\/){0,4}(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}|[\w.-]+\/(?:[^\s?]{1,120}\/)?(?:calendar|ical)\/[^\s?]{0,120}(?=[\w-]*\d)[\w-]{20,}[^\s?]{0,60}\.ics|(?=[^@]*\d)[0-9a-f]{32}(?::[0-9a-f]{32})?@[\w.-]*sentry[\w.-]*\/\d+|hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{5,}\/[\w/]{16,}|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/[\w-]{40,}|[\w-]+\.webhook\.office\.com\/webhookb2\/[\w@-]{36,}|hooks\.zapier\.com\/hooks\/catch\/\d+\/\w{5,}|api\.telegram\.org\/(?:file\/)?bot\d{6,12}:[\w-]{30,}|hook\.[\w.]*make\.com\/[a-z0-9]{20,}|hc-ping\.com\/[0-9a-f-]{36}|api\.day\.app\/\w{20,}|sctapi\.ftqq\.com\/\w{20,}|events\.pagerduty\.com\/integration\/\w{20,}|script\.google\.com\/macros\/s\/[\w-]{30,}|(?:[\w-]+\.)+(?:m\.pipedream\.net|webhook\.site)\/?|webhook\.site\/[0-9a-f-]{36}|maker\.ifttt\.com\/trigger\/\w+\/with\/key\/[\w-]{15,}|chat\.googleapis\.com\/v1\/spaces\/\w+\/messages\?key=)/i

/** A name without a dot that ends in two or more digits: `jenkins-02`. */
const NUMBERED_HOST = /^(?!\d)[a-z][a-z0-9-]*[a-z]-?\d{2,4}$/i

function grantsAccess(user: string, password: string, host: string): boolean {
  if (/^[$<{[%(]|\$\{|\{\{|^\*+$|^x+$|^\.+$|:$/.test(password) && !/^%[0-9A-F]{2}/.test(password)) return false
  if (/^\$\{|^</.test(user)) return false
  if (isPlaceholder(password)) return false
  if (DEFAULT_NAMES.test(password) && (LOCAL.test(host) || !/[.]/.test(host) || DEFAULT_NAMES.test(user))) return false
  return !(LOCAL.test(host) && password === user)
}

const NAMES =
  'AccountEndpoint|AuthKey|Schema|Charset|Unix_Socket|DbName|DSN|FileDSN|DBQ|ServerName|Version|AccessKey|InstrumentationKey|IngestionEndpoint|Data Source|Server|Addr(?:ess)?|Host(?:name)?|Database|Initial Catalog|User ?Id|Uid|User|Username|Password|Pwd|Port|Driver|Provider|Integrated Security|Encrypt|TrustServerCertificate|DefaultEndpointsProtocol|AccountName|AccountKey|EndpointSuffix|Endpoint|SharedAccessKeyName|SharedAccessKey|SharedAccessSignature|EntityPath|BlobEndpoint|MultipleActiveResultSets|Persist Security Info|Connection Timeout|Connect Timeout|Pooling|SSL ?Mode|Trusted_Connection|MultiSubnetFailover|Application Name|DeviceId|Max Pool Size|Min Pool Size|Timeout'
const PAIRS = new RegExp(
  String.raw`(?:^|[\s"'\x60=(,;])((?:(?:mysql|pgsql|sqlsrv|odbc|dblib|firebird|oci):)?(?:(?:${NAMES})\s?=(?:"[^"\n]{1,200}"|\{[^{}"'\n]{1,200}\}|[^;"'\x60\n]{0,400});\s?){1,20}(?:(?:${NAMES})\s?=(?:\{[^{}"'\n]{1,200}\}|[^;"'\x60\n\s]{0,400}))?)`,
  'i',
)
const SECRET_PART = /(?:Password|Pwd|AccountKey|(?<![\w])AccessKey|SharedAccessKey|SharedAccessSignature)\s?=\s?["{]?([^;"'`{}\n]+)/i

/** ADO.NET, ODBC and Azure strings (`Server=…;Password=…`), around a keyword at `at`. Returns its end. */
export function pairsAt(text: string, at: number, report: Report): number | null {
  const from = lineStart(text, at, 800)
  const slice = text.slice(from, lineEnd(text, at, 1500))
  if (!slice.includes(';')) return null
  const match = PAIRS.exec(slice)
  if (match === null) return null
  const secret = SECRET_PART.exec(match[1]!)?.[1]?.trim()
  if (secret === undefined || isPlaceholder(secret) || secret.startsWith('/') || !match[1]!.includes(';')) return null
  if (/^(?:password|pwd)\s?=/i.test(match[1]!) && !/;\s?\w/.test(match[1]!)) return null // one setting alone
  const start = from + match.index + match[0].length - match[1]!.length
  const value = match[1]!.replace(/[\s,.)]+$/, '')
  if (start > at || start + value.length < at) return null
  report('connection_string', 'pairs', start, start + value.length, 0.95, true)
  return start + value.length
}

const LIBPQ =
  /(?:(?:host|hostaddr|port|dbname|user|sslmode|options|application_name|connect_timeout|password)\s?=\s?(?:'[^'\n]{1,200}'|[^\s"'`;]{1,200})[ ]{1,3}){1,12}(?:host|hostaddr|port|dbname|user|sslmode|options|application_name|connect_timeout|password)\s?=\s?(?:'[^'\n]{1,200}'|[^\s"'`;]{1,200})/iy
/** `host=… user=… password=… dbname=…`: the word `password` is at `at`. */
export function libpqAt(text: string, at: number, report: Report): void {
  const before = text.slice(Math.max(0, at - 300), at)
  const lead = /(?:(?<![\w.-])(?:host|hostaddr|port|dbname|user|sslmode)\s?=\s?(?:'[^'\n]{1,200}'|[^\s"'`;]{1,200})[ ]{1,3}){1,8}$/i.exec(
    before,
  )
  const start = lead === null ? at : at - lead[0].length
  const whole = matchAt(LIBPQ, text, start)?.[0]
  if (whole === undefined || start + whole.length < at || !/\bdbname\s?=|\bhost\s?=/i.test(whole)) return
  const password = /\bpassword\s?=\s?'?([^'\s]+)/i.exec(whole)?.[1]
  if (
    password !== undefined &&
    !isMember(password.replace(/[,)]+$/, '')) &&
    grantsAccess('', password, /\bhost(?:addr)?\s?=\s?([^\s]+)/i.exec(whole)?.[1] ?? 'x.y')
  )
    report('connection_string', 'libpq', start, start + whole.length, 0.9, true)
}

const GO_DSN = /([\w.-]{1,64}):([^\s"'`@]{4,128})@(?:tcp|unix)?\([^)\s]{1,200}\)\/[\w-]*(?:\?[^\s"'`]*)?/y
/** `user:password@tcp(host:3306)/db`, the "@" at `at`. */
export function goDsnAt(text: string, at: number, report: Report): void {
  let start = at
  while (start > 0 && at - start < 190 && !/[\s"'`=]/.test(text[start - 1]!)) start -= 1
  const match = matchAt(GO_DSN, text, start)
  if (match !== null && grantsAccess(match[1]!, match[2]!, 'x.y'))
    report('connection_string', 'go dsn', start, start + match[0].length, 0.9, true)
}

const REQUESTED = /(?:oauth|callback|login|auth|sso|redirect|signin|connect|token)[^\s"'<>]{0,80}[?&]$/i
const CODE = /=([A-Za-z0-9_.~%/-]{16,600})/y
/** `/oauth/callback?code=…` in a request without a host; the word `code` is from `start` to `end`. */
export function codeAt(text: string, start: number, end: number, report: Report): void {
  const before = text.charCodeAt(start - 1)
  if ((before !== 63 && before !== 38) || !REQUESTED.test(text.slice(Math.max(0, start - 160), start))) return
  const value = matchAt(CODE, text, end)?.[1]
  if (value === undefined || !/\d/.test(value) || isPlaceholder(value) || entropyOf(value) < 3) return
  report('auth_token', 'code', end + 1, end + 1 + value.length, 0.8)
}

const REDIS = /([\w.-]{3,120}:\d{2,5})(?:,[a-zA-Z]+=[^,\s"']{0,80}){0,6},password=([^,\s"']{4,200})(?:,[a-zA-Z]+=[^,\s"']{0,80}){0,8}/y
const KEY_VALUE = /=["']?((?=(?:[A-Za-z]*\d){4})(?=(?:\d*[A-Za-z]){6})(?=[A-Za-z0-9]*[g-zG-Z])[A-Za-z0-9]{20,64})(?![\w./:-])/y
/** A long random value after `key=`; the word "key" is from `start` to `end`. */
export function keyValueAt(text: string, start: number, end: number, report: Report): void {
  if (/[\w.-]/.test(text[start - 1] ?? ' ')) return
  const value = matchAt(KEY_VALUE, text, end)?.[1]
  if (value === undefined || isPlaceholder(value) || entropyOf(value) < 3.4 || /[a-z]{8}|[A-Z][a-z]{4,}[A-Z]/.test(value)) return
  const at = KEY_VALUE.lastIndex === 0 ? text.indexOf(value, end) : KEY_VALUE.lastIndex - value.length
  report('api_key', 'key', at, at + value.length, 0.6)
}

const UPPER_CASE_KEY = /["']?[ ]?[:=][ ]?["']?((?=[\w/+-]*\d)(?=[\w/+-]*[a-z])(?=[\w/+-]*[A-Z])[\w/+-]{24,128}={0,2})(?=["'\s,;]|$)/y
const NO_KEY_OF =
  /(?:CACHE|PRIMARY|PUBLIC|FOREIGN|SORT|PARTITION|IDEMPOTENCY|OBJECT|INDEX|ROUTE|ROUTING|GROUP|S3|FILE|SSH|HOST|REDIS|LOOKUP|DEDUP\w*|QUERY|STORAGE|ROW|MAP|SITE|I18N)_$/
/** `B2_KEY: K00b…`: a name in capitals that ends in KEY, at `start`, before a random value. */
export function upperCaseKeyAt(text: string, start: number, end: number, report: Report): void {
  if (text.charCodeAt(start - 1) !== 95 || text.charCodeAt(start) !== 75 || NO_KEY_OF.test(text.slice(Math.max(0, start - 24), start)))
    return
  const value = matchAt(UPPER_CASE_KEY, text, end)?.[1]
  if (value === undefined || isPlaceholder(value) || entropyOf(value) < 3.6 || /[a-z]{6}|^[\w-]*\/[\w-]*\//.test(value)) return
  report('api_key', 'key', UPPER_CASE_KEY.lastIndex - value.length, UPPER_CASE_KEY.lastIndex, 0.7)
}

/** `host:6380,password=…,ssl=True` of StackExchange.Redis: the word `password` is at `at`. */
export function redisAt(text: string, at: number, report: Report): void {
  if (text.charCodeAt(at - 1) !== 44) return
  let start = at
  while (start > 0 && at - start < 300 && !/[\s"'`;]/.test(text[start - 1]!)) start -= 1
  const first = text.slice(start, at).search(/[\w.-]+:\d{2,5},/)
  if (first < 0) return
  start += first
  const match = matchAt(REDIS, text, start)
  if (match !== null && match.index + match[0].length > at && grantsAccess('', match[2]!, match[1]!))
    report('connection_string', 'redis', start, start + match[0].length, 0.92, true)
}
