/** Words of interfaces, settings and sentences. A value with one of them is no passphrase. */
const NAMING = new Set(
  `password passwd pass passwords pwd passcode passphrase secret secrets token tokens key keys auth oauth login logout signin signup register credential credentials user users username
  account email mail phone name names title label labels field fields input form forms button btn icon link text hint help error errors warning message messages msg notice alert toast dialog modal
  page screen view panel section item list group row col column table card header footer container wrapper content body section component class style css theme color size small large
  type types value values id ids ref data attr prop props param params arg args option options config setting settings env var file path url uri host port server client service
  manager store storage provider handler helper util utils hook api rest http https web app application project namespace cluster node pod job task queue cache db database backup sql
  change changed changing reset forgot forgotten recover recovery restore confirm confirmation repeat retype verify verified verification validate validator validation strength policy rule rules check checker
  new old current previous next default initial temporary temp tmp show hide toggle visible visibility hidden required optional invalid missing empty valid wrong incorrect expired mismatch match matches
  min max minimum maximum length short long weak strong generate generated generator hash hashed salt encrypt encrypted decrypt encryption prompt enter entry set get update updated create created delete remove save
  must should not cannot can your our the and for with from has have is are was this that one two first last here there only any all no yes
  example sample test tests testing demo dummy fake mock placeholder prod production staging stage dev development local remote internal external public private shared basic bearer factor multi step
  autocomplete off on webauthn read write only manager read-only plain plaintext raw base signing access refresh session cookie csrf jwt tls ssl ssh cert certificate ca admin root master main primary secondary replica`.split(
    /\s+/,
  ),
)

/** `correct-horse-battery-staple`: three or more hyphenated words, none of which names or describes a setting. */
export function isWordPassphrase(value: string): boolean {
  if (value.length < 14 || value.length > 120) return false
  const words = value.split('-')
  return words.length >= 3 && words.length <= 10 && words.every((word) => /^[A-Za-z]{3,14}$/.test(word) && !NAMING.has(word.toLowerCase()))
}
