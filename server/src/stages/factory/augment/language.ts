import { lookup } from '#contracts/lookup.ts'

/** Scripts that identify a language, and words that distinguish the languages in Latin letters. */
const SCRIPTS: readonly [string, RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['thai', /\p{Script=Thai}/gu],
]
const WORDS: Record<string, string> = lookup({
  en: 'the and to of is in that it for with this on are be please fix not you have when should can from my all make',
  de: 'der die das und ist nicht ein eine zu den mit auf für von dass bitte soll wenn ich es im dem auch alle',
  fr: 'le la les des est pas un une pour dans que avec sur et du ce il au veuillez quand doit je toutes aux',
  es: 'el la los las es no un una para en que con por y del se al favor cuando debe todos esta',
  it: 'il lo la gli è non un una per che con di e del si al quando deve tutti nel della sono',
  pt: 'o a os as é não um uma para em que com por e do da se ao quando deve todos está',
  nl: 'de het een en is niet van voor met op dat te in als moet wanneer alle ik er dit',
})
const WORD_SETS = Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))] as const)
const MIN_WORDS = 3

/** The likely language of a text; null if there is too little evidence. Code in it does not count. */
export function languageOf(text: string): string | null {
  const prose = text.replaceAll(/```[\s\S]*?(```|$)|`[^`]*`|\S*[/\\]\S*/g, ' ')
  const letters = prose.match(/\p{L}/gu)?.length ?? 0
  for (const [language, pattern] of SCRIPTS) {
    if ((prose.match(pattern)?.length ?? 0) > letters * 0.2) return language
  }
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = WORD_SETS.map(([language, list]) => ({ language, count: words.filter((word) => list.has(word)).length })).toSorted(
    (a, b) => b.count - a.count,
  )
  const [first, second] = scores
  return first!.count >= MIN_WORDS && first!.count >= 1.5 * second!.count ? first!.language : null
}
