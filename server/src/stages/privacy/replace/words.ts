import type { Draw } from './keyed.ts'

/**
 * Invented names, put together from two halves per script. No list of real names: a made-up name must be told from a
 * real one by its form alone, so that a second pass leaves it as it is and a real one is never taken for made up.
 */
interface Script {
  name: string
  is: RegExp
  heads: readonly string[]
  tails: readonly string[]
  /** Written with a large first letter. */
  cased: boolean
}

const list = (text: string) => text.split(' ')

const SCRIPTS: readonly Script[] = [
  {
    name: 'Latin',
    is: /\p{Script=Latin}/u,
    heads: list('Zeld Vrun Quor Jask Threv Oskw Wilm Brax Fjol Ynd Kesp Drum Glav Hroz Mivv Nuxt Povr Skel Tarv Ulq'),
    tails: list('avik orlen umeth ysko ibran ondel upra ewin azzo irsk olthe undry ekkim amoz yvane oprin usket irdle eshka obrin'),
    cased: true,
  },
  {
    name: 'Cyrillic',
    is: /\p{Script=Cyrillic}/u,
    heads: list('Зелд Врун Квор Яск Трев Оскв Вилм Бракс Фьол Ынд Кесп Друм'),
    tails: list('авик орлен умет ыско ибран ондель упра евин аззо ирск олта ундри'),
    cased: true,
  },
  {
    name: 'Greek',
    is: /\p{Script=Greek}/u,
    heads: list('Ζελδ Βρουν Κβορ Γιασκ Θρεβ Οσκβ Βιλμ Μπραξ Φιολ Ινδ Κεσπ Ντρουμ'),
    tails: list('αβικ ορλεν ουμεθ υσκο ιμπραν ονδελ ουπρα εβιν αζζο ιρσκ ολθε ουνδρι'),
    cased: true,
  },
  {
    name: 'Han',
    is: /\p{Script=Han}/u,
    heads: list('乂 丌 亓 兀 卝 厶 囗 夂 孑 尢 屮 巛'),
    tails: list('亍 仄 卮 叱 夬 孓 彳 戉 歺 毋 爻 糸'),
    cased: false,
  },
  {
    name: 'Kana',
    is: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    heads: list('ヌヴォ ゼルド ヴルン クォル ヤスク トレヴ オスク ヴィル ブラク フョル'),
    tails: list('ヴィク ルレン ウメト イスコ ブラン ンデル ウプラ エヴィ アッゾ イルス'),
    cased: false,
  },
  {
    name: 'Hangul',
    is: /\p{Script=Hangul}/u,
    heads: list('젤드 브룬 쿼르 야스크 트레브 오스크 빌므 브락 푤르 켑스'),
    tails: list('아빅 오를렌 우멧 이스코 입란 온델 우프라 에빈 앗조 이르슥'),
    cased: false,
  },
  {
    name: 'Arabic',
    is: /\p{Script=Arabic}/u,
    heads: list('زلد ڤرن قور ياسك ثرڤ اوسك ڤلم براكس فيول كسپ'),
    tails: list('اڤيك اورلن ومث يسكو ابران وندل وپرا ڤين ازو رسك'),
    cased: false,
  },
  {
    name: 'Hebrew',
    is: /\p{Script=Hebrew}/u,
    heads: list('זלד ורונ קוור יסכ תרב אוסכ וילמ ברקס פיול כספ'),
    tails: list('אביק אורלן ומת יסקו איברן ונדל ופרא בין אזו רסק'),
    cased: false,
  },
]

const latin = SCRIPTS[0]!
const scriptOf = (text: string): Script => SCRIPTS.find(({ is }) => is.test(text)) ?? latin

const FORMS: readonly RegExp[] = SCRIPTS.map(({ heads, tails }) => new RegExp(`^(${heads.join('|')})(${tails.join('|')})$`, 'iu'))
const LATIN_FORM = `(?:${latin.heads.join('|')})(?:${latin.tails.join('|')})`

/** A made-up word for this one, in its script and with its capitals (all, first, none). */
export function wordLike(draw: Draw, word: string): string {
  const script = scriptOf(word)
  const made = draw.of(script.heads) + draw.of(script.tails)
  if (!script.cased) return made
  const letters = word.replaceAll(/[^\p{L}]/gu, '')
  if (letters.length > 1 && letters === letters.toUpperCase()) return made.toUpperCase()
  return letters === letters.toLowerCase() ? made.toLowerCase() : made
}

/** A made-up word in small Latin letters. */
export const plainWord = (draw: Draw): string => (draw.of(latin.heads) + draw.of(latin.tails)).toLowerCase()

export const isMadeUp = (word: string): boolean => FORMS.some((form) => form.test(word))

/** Source of a pattern that finds `plainWord` in a larger form. */
export const PLAIN_WORD = LATIN_FORM.toLowerCase()
