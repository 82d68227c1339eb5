import type { Field } from './field.ts'
import { lineStart } from './lines.ts'
import { isRandomLetters } from './random-letters.ts'
import { isGivenName, isOrdinary } from './names.ts'

/**
 * Whether what stands behind a label is code, not a value: identifiers, members, calls and types are names of values. In
 * code a user, a password, a machine or a name is a value only as a literal; settings and logs have them without quotes.
 */
export function isExpression(field: Field, text: string): boolean {
  if (field.quoted || field.style === 'env' || field.style === 'flag' || field.style === 'cell') return false
  if (CALLED.has(field.kind) && /^[A-Za-z_$][\w$.]*[([]|->?$/.test(field.text)) return true
  if (!/^[&*@!+]?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*\(?$/.test(field.text)) return false
  if (field.text.endsWith('(')) return true
  if (/^[&*@!+]/.test(field.text)) return true
  const members = field.text.split(/\.|\?\.|::|->/)
  if (OPENING.has(field.kind))
    return members.length > 1 && members.every((member) => !/\d/.test(member)) && (OBJECTS.test(members[0]!) || members.some(isCamel))
  const after = text.slice(field.end, field.end + 24)
  // a call, an index, a choice, an operator, a type with more behind it
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
/** Kinds whose values look like nothing else: of them only members and addresses of variables are code. */
const OPENING: ReadonlySet<Field['kind']> = new Set(['secret', 'token', 'apiKey', 'connection'] as const)
/** Kinds whose values hold no bracket. */
const CALLED: ReadonlySet<Field['kind']> = new Set(['username', 'hostname', 'person', 'given', 'name', 'city'] as const)
/** What code calls the thing that has a user. */
const OBJECTS =
  /^(?:self|this|cls|super|obj|object|req|request|res|response|ctx|context|session|config|cfg|conf|settings?|opts?|options|args?|kwargs|params?|props|state|data|body|payload|env|process|os|app|auth|user|users|account|client|event|item|row|record|model|entity|result|response|parsed|url|uri|parts|match|input|form|query|headers?|credentials?|creds|current|user|info|meta|metadata|store|db|conn|connection|e|i|c|d|m|o|p|r|s|t|u|v|x|ts|it|me|my|new|old)$/
/** How a line of code begins. */
const STATEMENT =
  /^[ \t]*[+-]?[ \t]*(?:(?:export|async|public|private|protected|static|final|readonly|override|pub|mut|inline|virtual|abstract)[ \t]+){0,4}(?:const|let|var|val|def|fn|func|function|class|return|import|from|if|elif|else if|while|for|await|yield|throw|raise|assert|self\.|this\.|@[a-z_]\w*\.|del|lambda|new|type|interface|struct|enum|with|case|print\(|local)\b/

/** Whether a bracket behind a word is open before the value: the arguments of a call or a definition. */
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

/** `self.password`, `opts.username`: a member of what code calls so. */
export const isMember = (value: string) => {
  const [first, ...rest] = value.split('.')
  return rest.length > 0 && OBJECTS.test(first!) && rest.every((member) => /^[A-Za-z_]+$/.test(member))
}

/** Words of code alone, with points or underscores between them: `request.user`, `create_user`, no account of somebody. */
export const isNamedByWords = (value: string) => {
  const words = value.split(/[._]/)
  return words.length > 1 && words.every((word) => word.length < 3 || (isOrdinary(word) && !isGivenName(word)))
}

/** Types of languages and of databases. */
export const isTypeName = (value: string) => TYPE_NAMES.test(value)
const TYPE_NAMES =
  /^(?:str|string|bytes?|bytearray|int\d{0,2}|uint\d{0,2}|integer|float\d{0,2}|double|number|bool(?:ean)?|char|varchar|text|any|object|optional|none|null|nil|undefined|void|unknown|never|list|dict|tuple|set|array|map|buffer|symbol|self|no(?:replication|inherit|login|createdb|createrole|superuser)|replication|inherit|superuser|createdb|createrole|encrypted|bypassrls)$/i
