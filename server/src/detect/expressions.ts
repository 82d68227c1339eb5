import type { Field } from './labels/field.ts'
import { lineStart } from './lines.ts'
import { isRandomDotted, isRandomLetters } from './secrets/random-letters.ts'
import { isGivenName, isOrdinaryWord } from './people/names.ts'

/**
 * Whether the text after a label is code rather than a value, such as an identifier, member, call or type. In code, users,
 * passwords, hosts and names are in quotes; in settings and logs they may be unquoted.
 */
export function isExpression(field: Field, text: string): boolean {
  if (field.quoted || field.style === 'env' || field.style === 'flag' || field.style === 'cell') return false
  if (NO_BRACKET_KINDS.has(field.kind) && /^[A-Za-z_$][\w$.]*[([]|->?$/.test(field.text)) return true
  if (!/^[&*@!+]?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*\(?$/.test(field.text)) return false
  if (field.text.endsWith('(')) return true
  if (/^[&*@!+]/.test(field.text)) return true
  if (isRandomDotted(field.text)) return false
  const members = field.text.split(/\.|\?\.|::|->/)
  if (SECRET_KINDS.has(field.kind))
    return members.length > 1 && members.every((member) => !/\d/.test(member)) && (OBJECTS.test(members[0]!) || members.some(isCamel))
  const after = text.slice(field.end, field.end + 24)
  // a call, an index, a choice, an operator, a type followed by more
  if (/^(?:[([{]|[ \t]?(?:\?\?|\|\||&&|===?|!==?|=>|\?\.)|[ \t](?:\||\?|\+|if|or|and|in|for|is|else|as)[ \t])/.test(after)) return true
  if (members.length > 1 && members.some(isCamel)) return true
  if (members.length > 1 && OBJECTS.test(members[0]!)) return true
  if (isCamel(field.text) && field.style !== 'prose') return true
  const before = text.slice(lineStart(text, field.start, 200), field.start)
  // `"content": question`, `'user' => params`: a key in quotes with a bare word
  if (/["'`]\]?\s?(?:=>|:)\s?$/.test(before) && !/^[ \t]*(?:- )?["'][^"']*["']:\s?$/.test(before)) return true
  if (/["'`]\s?=>\s?$/.test(before)) return true
  if (/\w\[\w+\] ?= ?$/.test(before)) return true
  if (field.style !== 'prose' && STATEMENT.test(before)) return true
  const ends = /^[ \t]*(?:([,;]|\)+[;,:]?|\}+[;,]?|\{)[ \t]*)(?:\/\/.*|#.*)?(?:\r?\n|$)/.exec(text.slice(field.end, field.end + 60))
  // an argument or a member on its own line: `user=user_name,`
  if (ends !== null && /^[ \t]+[\w.]+\s?[=:]\s?$/.test(before)) return true
  if (ends?.[1] === ';' && /^[ \t]*[\w.$]+\s?=\s?$/.test(before)) return true
  return opensCall(before)
}

/** `userName`, `HttpServer2`: words written as one. */
const isCamel = (word: string) => /^(?:[a-z]{2,}[A-Z][A-Za-z]*|[A-Z][a-z]+[A-Z][A-Za-z]*)\d?$/.test(word) && !isRandomLetters(word)
/** Kinds with unmistakable values; for them only members and addresses of variables count as code. */
const SECRET_KINDS: ReadonlySet<Field['kind']> = new Set(['secret', 'token', 'apiKey', 'connection'] as const)
/** Kinds whose values contain no bracket. */
const NO_BRACKET_KINDS: ReadonlySet<Field['kind']> = new Set(['username', 'hostname', 'person', 'given', 'name', 'city'] as const)
/** Names of objects in code that have members such as `user`. */
const OBJECTS =
  /^(?:self|this|cls|super|obj|object|req|request|res|response|ctx|context|session|config|cfg|conf|settings?|opts?|options|args?|kwargs|params?|props|state|data|body|payload|env|process|os|app|auth|user|users|account|client|event|item|row|record|model|entity|result|response|parsed|url|uri|parts|match|input|form|query|headers?|credentials?|creds|current|user|info|meta|metadata|store|db|conn|connection|e|i|c|d|m|o|p|r|s|t|u|v|x|ts|it|me|my|new|old)$/
/** Start of a line of code. */
const STATEMENT =
  /^[ \t]*[+-]?[ \t]*(?:(?:export|async|public|private|protected|static|final|readonly|override|pub|mut|inline|virtual|abstract)[ \t]+){0,4}(?:const|let|var|val|def|fn|func|function|class|return|import|from|if|elif|else if|while|for|await|yield|throw|raise|assert|self\.|this\.|@[a-z_]\w*\.|del|lambda|new|type|interface|struct|enum|with|case|print\(|local)\b/

/** Whether the text before a value opens a call or a definition. */
function opensCall(before: string): boolean {
  let depth = 0
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const char = before[at]
    if (char === ')' || char === ']' || char === '}') depth += 1
    else if (char === '(' || char === '[' || char === '{') {
      if (depth > 0) depth -= 1
      else if (char === '(' && /[\w$\])>]/.test(before[at - 1] ?? '')) return true
      else if (char === '{' && /["'(\w]\s?$/.test(before.slice(Math.max(0, at - 2), at))) return true
    }
  }
  return false
}

/** Whether a value is a member of an object: `self.password`, `opts.username`. */
export const isMember = (value: string) => {
  const [first, ...rest] = value.split('.')
  return rest.length > 0 && OBJECTS.test(first!) && rest.every((member) => /^[A-Za-z_]+$/.test(member))
}

/** Whether a value consists of ordinary words joined by dots or underscores, such as `create_user`; no account of a person. */
export const isNamedByWords = (value: string) => {
  const words = value.split(/[._]/)
  return words.length > 1 && words.every((word) => word.length < 3 || (isOrdinaryWord(word) && !isGivenName(word)))
}

/** Whether a value is a type of a programming language or a database. */
export const isTypeName = (value: string) => TYPE_NAMES.test(value)
const TYPE_NAMES =
  /^(?:str|string|bytes?|bytearray|int\d{0,2}|uint\d{0,2}|integer|float\d{0,2}|double|number|bool(?:ean)?|char|varchar|text|any|object|optional|none|null|nil|undefined|void|unknown|never|list|dict|tuple|set|array|map|buffer|symbol|self|no(?:replication|inherit|login|createdb|createrole|superuser)|replication|inherit|superuser|createdb|createrole|encrypted|bypassrls)$/i
