import type { Draw } from './keyed.ts'

/**
 * Invented words, built from two halves per script. They look different from real names, so that a second pass does not
 * replace them and no real name counts as made up.
 */
interface Script {
  name: string
  is: RegExp
  starts: readonly string[]
  tails: readonly string[]
  /** Optional parts between start and tail. */
  middles: readonly string[]
}

const list = (text: string) => text.split(' ')

const SCRIPTS: readonly Script[] = [
  {
    name: 'Latin',
    is: /\p{Script=Latin}/u,
    starts: list('Zeld Vrun Quor Jask Threv Oskw Wilm Brax Fjol Ynd Kesp Drum Glav Hroz Mivv Nuxt Povr Skel Tarv Ulq'),
    tails: list('avik orlen umeth ysko ibran ondel upra ewin azzo irsk olthe undry ekkim amoz yvane oprin usket irdle eshka obrin'),
    middles: Array.from('aeiou').flatMap((vowel) => Array.from('dglmnrv', (letter) => vowel + letter)),
  },
  {
    name: 'Cyrillic',
    is: /\p{Script=Cyrillic}/u,
    starts: list('Зелд Врун Квор Яск Трев Оскв Вилм Бракс Фьол Ынд Кесп Друм'),
    tails: list('авик орлен умет ыско ибран ондель упра евин аззо ирск олта ундри'),
    middles: [],
  },
  {
    name: 'Greek',
    is: /\p{Script=Greek}/u,
    starts: list('Ζελδ Βρουν Κβορ Γιασκ Θρεβ Οσκβ Βιλμ Μπραξ Φιολ Ινδ Κεσπ Ντρουμ'),
    tails: list('αβικ ορλεν ουμεθ υσκο ιμπραν ονδελ ουπρα εβιν αζζο ιρσκ ολθε ουνδρι'),
    middles: [],
  },
  {
    name: 'Han',
    is: /\p{Script=Han}/u,
    starts: list('乂 丌 亓 兀 卝 厶 囗 夂 孑 尢 屮 巛'),
    tails: list('亍 仄 卮 叱 夬 孓 彳 戉 歺 毋 爻 糸'),
    middles: [],
  },
  {
    name: 'Kana',
    is: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    starts: list('ヌヴォ ゼルド ヴルン クォル ヤスク トレヴ オスク ヴィル ブラク フョル'),
    tails: list('ヴィク ルレン ウメト イスコ ブラン ンデル ウプラ エヴィ アッゾ イルス'),
    middles: [],
  },
  {
    name: 'Hangul',
    is: /\p{Script=Hangul}/u,
    starts: list('젤드 브룬 쿼르 야스크 트레브 오스크 빌므 브락 푤르 켑스'),
    tails: list('아빅 오를렌 우멧 이스코 입란 온델 우프라 에빈 앗조 이르슥'),
    middles: [],
  },
  {
    name: 'Arabic',
    is: /\p{Script=Arabic}/u,
    starts: list('زلد ڤرن قور ياسك ثرڤ اوسك ڤلم براكس فيول كسپ'),
    tails: list('اڤيك اورلن ومث يسكو ابران وندل وپرا ڤين ازو رسك'),
    middles: [],
  },
  {
    name: 'Hebrew',
    is: /\p{Script=Hebrew}/u,
    starts: list('זלד ורונ קוור יסכ תרב אוסכ וילמ ברקס פיול כספ'),
    tails: list('אביק אורלן ומת יסקו איברן ונדל ופרא בין אזו רסק'),
    middles: [],
  },
]

const latin = SCRIPTS[0]!
const scriptOf = (text: string): Script => SCRIPTS.find(({ is }) => is.test(text)) ?? latin

const formOf = ({ starts, middles, tails }: Script) =>
  `(?:${starts.join('|')})${middles.length > 0 ? `(?:${middles.join('|')})?` : ''}(?:${tails.join('|')})`
const LATIN_FORM = `(?:${latin.starts.join('|')})(?:${latin.tails.join('|')})`
/** Accounts may contain several invented words, initials and particles: `zvanderjaskorlen`. */
const FORMS: readonly RegExp[] = SCRIPTS.map((script) => new RegExp(`^\\p{L}{0,8}(?:${formOf(script)}){1,4}\\p{L}{0,2}$`, 'iu'))

/** A lower-case made-up word in the script of `word`. */
export function inventWordLike(draw: Draw, word: string): string {
  const { starts, middles, tails } = scriptOf(word)
  return (draw.of(starts) + (middles.length > 0 ? draw.of(middles) : '') + draw.of(tails)).toLowerCase()
}

/** A made-up initial with the case of `letter`. */
export const inventInitialLike = (draw: Draw, letter: string): string => withCaseOf(draw.of(INITIALS), letter)
const INITIALS = Array.from('abcdefghjklmnprstvw')

/** The text with the capitals of `like`: all letters, the first of every word, or none. */
export function withCaseOf(invented: string, like: string): string {
  const letters = like.replaceAll(/[^\p{L}]/gu, '')
  if (letters === letters.toLowerCase()) return invented
  if (letters.length > 1 && letters === letters.toUpperCase()) return invented.toUpperCase()
  return /^\p{Lu}/u.test(letters) ? invented.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : invented
}

/** A lower-case made-up word in Latin letters. */
export const plainWord = (draw: Draw): string => (draw.of(latin.starts) + draw.of(latin.tails)).toLowerCase()

export const isMadeUp = (word: string): boolean => FORMS.some((form) => form.test(word))

/** Pattern source that matches a word of `plainWord`, for use in larger patterns. */
export const PLAIN_WORD = LATIN_FORM.toLowerCase()
