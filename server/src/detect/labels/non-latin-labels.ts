import { birthDateAt } from '../people/dates.ts'
import { isUser } from '../machines/hosts.ts'
import { nationalId } from './national-ids.ts'
import { isInternational } from '../people/phone.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { looksLikePassword, looksLikeSecret } from '../secrets/secret-values.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Labels in Cyrillic, Greek, Arabic, Hebrew, Devanagari, Chinese, Japanese, Korean and Thai, and their values. */

type LabelKind =
  | 'password'
  | 'username'
  | 'hostname'
  | 'secret'
  | 'person'
  | 'phone'
  | 'address'
  | 'city'
  | 'country'
  | 'zip'
  | 'birth'
  | 'ssn'
  | 'passport'
  | 'license'
  | 'account'
  | 'condition'
  | 'mrn'

const TABLE: Record<LabelKind, string> = {
  password: `пароль|пароля|паролем|паролю|код доступа|кодовая фраза|гасло|парола|лозинка|κωδικός πρόσβασης|κωδικός|συνθηματικό|كلمة المرور|كلمة السر|كلمة مرور|الرقم السري|סיסמה|סיסמא|סיסמת|पासवर्ड|कूटशब्द|密码|密碼|口令|パスワード|パスフレーズ|暗証番号|비밀번호|비번|암호|패스워드|รหัสผ่าน|পাসওয়ার্ড|கடவுச்சொல்|გასაღები|პაროლი|գաղտնաբառ`,
  username: `логин|логином|имя пользователя|пользователь|пользователя|учётная запись|учетная запись|учётка|учетка|користувач|ім'я користувача|логін|потребителско име|потребител|корисничко име|корисник|όνομα χρήστη|χρήστης|χρήστη|اسم المستخدم|المستخدم|שם משתמש|שם המשתמש|משתמש|उपयोगकर्ता नाम|उपयोगकर्ता|यूज़रनेम|यूजरनेम|用户名|用戶名|用户名称|使用者名稱|帐号|账号|帳號|账户|登录名|登陆名|用户|ユーザー名|ユーザ名|ユーザーid|ユーザid|ログインid|アカウント名|アカウント|ユーザー|아이디|사용자명|사용자 이름|사용자|계정|ชื่อผู้ใช้`,
  hostname: `主机名|主機名稱|服务器名|服务器|主机|ホスト名|サーバー名|サーバ名|ホスト|호스트명|호스트 이름|호스트|서버|имя хоста|имя сервера|хост|сервер|ім'я хоста|όνομα διακομιστή|διακομιστής|اسم المضيف|الخادم|שם מארח|שרת`,
  secret: `токен|ключ api|api-ключ|ключ доступа|ключ|секретный ключ|секрет|密钥|密鑰|令牌|访问令牌|访问密钥|秘钥|アクセストークン|トークン|apiキー|api キー|シークレットキー|シークレット|アクセスキー|토큰|api 키|api키|시크릿 키|시크릿|비밀 키|비밀키|액세스 키|رمز الوصول|مفتاح api|المفتاح|טוקן|מפתח api|מפתח|κλειδί api|κλειδί|διακριτικό|टोकन|एपीआई कुंजी`,
  person: `фио|ф.и.о.|имя|имя и фамилия|фамилия|отчество|клиент|клиентка|пациент|пациентка|сотрудник|сотрудница|заказчик|получатель|отправитель|плательщик|владелец|контактное лицо|контакт|ответственный|заявитель|автор|менеджер|врач|піб|ім'я|прізвище|клієнт|пацієнт|одержувач|отримувач|замовник|име|име и презиме|презиме|получател|име и фамилия|ονοματεπώνυμο|όνομα|επώνυμο|πελάτης|ασθενής|παραλήπτης|الاسم|الاسم الكامل|الاسم الأول|اسم العميل|اسم المريض|اسم الموظف|اسم المستلم|العميل|المريض|שם מלא|שם פרטי|שם משפחה|שם הלקוח|שם|לקוח|מטופל|नाम|पूरा नाम|ग्राहक|ग्राहक का नाम|मरीज़|मरीज|रोगी|रोगी का नाम|姓名|名字|客户姓名|客户|客戶|患者姓名|患者|联系人|聯絡人|收件人|收货人|持卡人|员工|申请人|负责人|氏名|お名前|名前|患者名|患者氏名|顧客名|お客様名|お客様|担当者|担当|受取人|宛名|이름|성명|성함|고객명|고객|환자명|환자|담당자|수취인|받는 사람|받는사람|예금주|ชื่อ-นามสกุล|ชื่อ|ชื่อผู้ป่วย|নাম|பெயர்`,
  phone: `телефон|тел|моб|мобильный телефон|мобильный|номер телефона|сотовый|контактный телефон|мобільний|мобилен|телефонен номер|τηλέφωνο|τηλ|κινητό|الهاتف|رقم الهاتف|رقم الجوال|هاتف|الجوال|טלפון|נייד|מספר טלפון|फ़ोन|फोन|मोबाइल|मोबाइल नंबर|दूरभाष|手机|手机号|手机号码|手機|手機號碼|电话|电话号码|電話|電話番号|電話號碼|联系电话|聯絡電話|携帯|携帯電話|携帯番号|전화번호|전화|휴대폰|휴대폰 번호|휴대전화|연락처|핸드폰|โทรศัพท์|เบอร์โทร|โทร|ফোন|தொலைபேசி`,
  address: `адрес|адрес доставки|адрес проживания|адрес регистрации|домашний адрес|адреса|адреса доставки|διεύθυνση|διεύθυνση κατοικίας|العنوان|عنوان السكن|כתובת|כתובת מגורים|पता|घर का पता|地址|住址|收货地址|家庭住址|家庭地址|住所|お届け先|送付先|配送先|所在地|주소|배송지|배송 주소|ที่อยู่|ঠিকানা|முகவரி`,
  city: `город|место рождения|місто|град|πόλη|المدينة|מקום לידה|עיר|शहर|城市|出生地|都市|市町村|도시|출생지|เมือง`,
  country: `страна|гражданство|країна|громадянство|държава|χώρα|υπηκοότητα|الدولة|البلد|الجنسية|מדינה|אזרחות|देश|राष्ट्रीयता|国家|國家|国籍|國籍|국가|국적|ประเทศ|สัญชาติ`,
  zip: `почтовый индекс|индекс|поштовий індекс|пощенски код|ταχυδρομικός κώδικας|τκ|τ.κ.|الرمز البريدي|מיקוד|पिन कोड|पिनकोड|邮编|邮政编码|郵遞區號|郵便番号|우편번호|รหัสไปรษณีย์`,
  birth: `дата рождения|день рождения|родился|родилась|дата народження|дата на раждане|датум рођења|ημερομηνία γέννησης|ημ. γέννησης|تاريخ الميلاد|تاريخ الولادة|תאריך לידה|जन्म तिथि|जन्मतिथि|जन्म की तारीख|出生日期|出生年月|生日|生年月日|誕生日|생년월일|생일|วันเกิด`,
  ssn: `инн|снилс|рнокпп|іпн|егн|ембг|јмбг|αφμ|αμκα|αριθμός ταυτότητας|رقم الهوية|رقم الإقامة|الهوية الوطنية|ת.ז.|תעודת זהות|מספר זהות|आधार|आधार संख्या|आधार नंबर|पैन|पैन नंबर|身份证|身份证号|身份证号码|身分證|身分證字號|マイナンバー|個人番号|주민등록번호|주민번호|เลขบัตรประชาชน`,
  passport: `паспорт|паспорта|номер паспорта|серия и номер|серия и номер паспорта|загранпаспорт|διαβατήριο|αριθμός διαβατηρίου|جواز السفر|رقم الجواز|דרכון|מספר דרכון|पासपोर्ट|पासपोर्ट नंबर|护照|护照号|护照号码|護照|護照號碼|パスポート|パスポート番号|旅券番号|여권번호|여권`,
  license: `водительское удостоверение|права|посвідчення водія|шофьорска книжка|άδεια οδήγησης|رخصة القيادة|רישיון נהיגה|驾驶证|驾驶证号|運転免許証|運転免許証番号|免許証番号|운전면허|운전면허번호|면허번호`,
  account: `расчётный счёт|расчетный счет|р/с|номер счета|номер счёта|лицевой счёт|номер рахунку|рахунок|αριθμός λογαριασμού|رقم الحساب|חשבון בנק|מספר חשבון|खाता संख्या|银行卡号|银行卡|银行账号|銀行帳號|口座番号|계좌번호`,
  condition: `диагноз|діагноз|диагноза|διάγνωση|التشخيص|אבחנה|निदान|诊断|診斷|診断|診断名|病名|疾病|진단|진단명|병명`,
  mrn: `медкарта|номер медкарты|номер карты|история болезни|номер медичної картки|αριθμός μητρώου|الرقم الطبي|מספר תיק|病历号|病歷號|病案号|カルテ番号|診察券番号|患者id|患者番号|등록번호|환자번호|차트번호`,
}

const KIND_BY_LABEL = new Map<string, LabelKind>()
for (const [kind, words] of Object.entries(TABLE) as [LabelKind, string][])
  for (const word of words.split('|')) if (!KIND_BY_LABEL.has(word)) KIND_BY_LABEL.set(word, kind)

/** Letters of the scripts above; signs, arrows, emoji and accented Latin letters are not included. */
const OTHER_SCRIPT_LETTER = /[\u0370-\u1FFF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/
/** Scripts that separate words by spaces; a label in them starts a word. */
const SPACED_SCRIPT = /^[\u0370-\u2FFF]/
const INITIALS = new Set([...KIND_BY_LABEL.keys()].map((word) => word[0]!))
const BY_LETTER = new Map<string, RegExp>()

/** A pattern for the labels that begin with a letter, compiled on first use because compiling is slow. */
function labelsOf(letter: string): RegExp | null {
  if (!INITIALS.has(letter)) return null
  const cached = BY_LETTER.get(letter)
  if (cached) return cached
  const words = [...KIND_BY_LABEL.keys()]
    .filter((word) => word.startsWith(letter))
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', String.raw`\.?`).replaceAll(' ', String.raw`\s`))
    .join('|')
  // one look-behind for all words of the letter
  const compiled = new RegExp(SPACED_SCRIPT.test(letter) ? String.raw`(?<![\p{L}\p{M}])(?:${words})(?![\p{L}\p{M}])` : words, 'iuy')
  BY_LETTER.set(letter, compiled)
  return compiled
}

const SEPARATOR =
  /["'`]?[ \t\u3000]{0,3}(?:№|no\.?|n°)?[ \t\u3000]{0,3}(?:\([^()\n]{1,20}\)|（[^（）\n]{1,20}）)?[ \t\u3000]{0,20}([:：=＝–—-]|是|为|為|は|が|은|는|이|가)?[ \t\u3000]{0,20}["'`“«「『]?/iuy

/** Reports values after labels in other scripts than Latin. */
export function labelsInOtherScripts(text: string, report: Report): void {
  if (text.includes('〒'))
    for (const { 0: code, index } of text.matchAll(/(?<=〒\s?)\d{3}-\d{4}(?!\d)/gu))
      report('zip_code', 'post mark', index, index + code.length, 0.85)
  if (!OTHER_SCRIPT_LETTER.test(text)) return
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x370 || (code > 0x1fff && code < 0x3040)) continue
    // in a script with spaces, a label cannot start inside a word
    const before = text.charCodeAt(at - 1)
    if (code < 0x2000 && before > 0x36f && before < 0x2000) continue
    const match = labelAt(text, at)
    if (match === null) continue
    const end = match.index + match[0].length
    at = end - 1
    const separator = matchAt(SEPARATOR, text, end)!
    const hasSeparator = separator[1] !== undefined
    if (!hasSeparator && separator[0] === '') continue
    const kind = KIND_BY_LABEL.get(match[0].toLowerCase().replaceAll(/\s/g, ' ')) ?? KIND_BY_LABEL.get(`${match[0].toLowerCase()}.`)
    if (kind === undefined) continue
    const from = end + separator[0].length
    const limit = Math.min(text.length, from + 160)
    let stop = from
    while (stop < limit && !/[\n\r\t"'`“”»」』|<>{}]/.test(text[stop]!)) stop += 1
    CHECKS[kind](
      { text: text.slice(from, stop), at: from, separated: hasSeparator && !PARTICLES.has(separator[1]!), linked: hasSeparator },
      report,
      text,
    )
  }
}
/** The label at a letter of these scripts; it may begin with Latin letters: `api-ключ`. */
function labelAt(text: string, at: number): RegExpExecArray | null {
  const form = labelsOf(text[at]!.toLowerCase())
  if (form !== null) {
    const match = matchAt(form, text, at)
    if (match !== null) return match
  }
  const before = text.charCodeAt(at - 1) | 32
  if (before !== 105 && before !== 32 && before !== 45) return null
  const lead = /api[ -]?$/i.exec(text.slice(Math.max(0, at - 4), at))
  const latin = lead === null ? null : labelsOf('a')
  if (latin === null) return null
  return matchAt(latin, text, at - lead![0].length)
}
const PARTICLES = new Set(['是', '为', '為', 'は', 'が', '은', '는', '이', '가'])

interface Value {
  text: string
  at: number
  /** Whether a separator is between label and value. */
  separated: boolean
  /** Whether a separator or a particle is between label and value. */
  linked: boolean
}
type Check = (value: Value, report: Report, text: string) => void

const ASCII = /^[\x21-\x7E]{4,200}/
const asciiIn = (text: string) => ASCII.exec(text.replace(/[，；。、].*$/u, ''))?.[0].replace(/[,;.)]+$/, '') ?? ''
/** A name: two to five Chinese or Korean characters, or words. */
const PERSON =
  /^(?:[\u3400-\u9FFF々]{1,4}[ \u3000][\u3400-\u9FFF々\u3040-\u30FF]{1,4}|[\u3400-\u9FFF々]{2,4}|[\uAC00-\uD7AF]{2,5}|[\u30A0-\u30FF]{2,10}[・ \u3000][\u30A0-\u30FF]{2,10}|(?:\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{Lu}[\p{Ll}\p{M}]+)?)(?: (?:\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{Lu}[\p{Ll}\p{M}]+)?|\p{Lu}\.)){0,3}|[\u0590-\u0DFF\u0E00-\u0EFF]{2,16}(?: [\u0590-\u0DFF\u0E00-\u0EFF]{2,16}){1,3})(?=$|[ \u3000]*[,;，；。、(（/]|[ \u3000]{2}|[ \u3000](?:さん|様|先生|氏|님|씨)|さん|様|님|씨|です|でございます|と申します|입니다|이고|이며)/u
/** Prompts of forms, and words for "none". */
const NO_NAME =
  /^(?:必須|必要|未入力|不明|空欄|変更|同じ|请|請|输入|輸入|入力|未|无|無|なし|필수|입력|없음|не |нет|введите|укажите|أدخل|הזן|दर्ज)/iu
const PHONE = /^[+＋]?(?:\(\d{1,5}\)|\d)[\d ().\-‐–]{6,20}\d/u
const CODE = /^[A-Z0-9][A-Z0-9 .\-/]{4,22}[A-Z0-9]/i

const numberCheck =
  (type: 'passport' | 'driver_license' | 'bank_account' | 'mrn', least: number): Check =>
  ({ text, at }, report) => {
    const code = CODE.exec(text)?.[0].replace(/ [A-Za-z].*$/, '') ?? ''
    if (code.replaceAll(/\D/g, '').length >= least && code.length >= 6) report(type, 'label in its script', at, at + code.length, 0.85)
  }

const CHECKS: Record<LabelKind, Check> = {
  password({ text, at, separated, linked }, report) {
    const value = asciiIn(text)
    if (value.length < 5 || (!separated && !/\d|[!@#$%^&*]/.test(value)) || (!linked && /^\d+$|^[a-z]+\d?$/.test(value))) return
    if (!looksLikePassword(value, { quoted: false, firm: true }) || /^[\w.-]+\(|^https?:|^[A-Za-z]+:$/.test(value)) return
    report('password', 'label in its script', at, at + value.length, 0.85)
  },
  username({ text, at, separated }, report) {
    const value = /^[A-Za-z][\w.-]{1,39}(?![\w@(])/.exec(text)?.[0].replace(/[.-]+$/, '') ?? ''
    if (!isUser(value) || (!separated && !/[\d._-]/.test(value)) || /\.(?:ts|js|py|json|ya?ml|md|com|org|net|ru)$/.test(value)) return
    report('username', 'label in its script', at, at + value.length, 0.8)
  },
  hostname({ text, at, separated }, report) {
    const value = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*(?![\w@(])/i.exec(text)?.[0] ?? ''
    if (
      separated &&
      /\d|\.(?:lan|local|internal|corp|intra|intranet)$/.test(value) &&
      /^[a-z][\w-]*-\d+$|^[a-z][a-z-]*\d+$|\./i.test(value)
    )
      report('hostname', 'label in its script', at, at + value.length, 0.7)
  },
  secret({ text, at }, report) {
    const value = asciiIn(text)
    if (looksLikeSecret(value, { quoted: true, uuid: false, least: 16 }))
      report('secret', 'label in its script', at, at + value.length, 0.8)
  },
  person({ text, at, separated, linked }, report) {
    const value = PERSON.exec(text)?.[0] ?? ''
    if (
      !(
        separated ||
        (linked && value.length > 2 && /^(?:です|でございます|と申します|입니다|이고|이며|さん|様|님|씨)/u.test(text.slice(value.length)))
      ) ||
      value.length < 2 ||
      NO_NAME.test(value)
    )
      return
    report('person', 'label in its script', at, at + value.length, 0.8)
  },
  phone({ text, at }, report) {
    const value = PHONE.exec(text)?.[0] ?? ''
    const digits = value.replaceAll(/\D/g, '').length
    if (digits >= 7 && digits <= 15) report('phone', 'label in its script', at, at + value.length, 0.85, isInternational(value))
  },
  address({ text, at, separated, linked }, report) {
    if (
      !(separated || (linked && /\d/.test(text) && /[都道府県市区町村省路街号시구동로]/u.test(text))) ||
      !/\d|[一二三四五六七八九十]+(?:丁目|番|号)/u.test(text) ||
      !/\p{L}{2}/u.test(text) ||
      /https?:|@|[()=]{2}|^\d+(?:\.\d+){3}/.test(text)
    )
      return
    const zip = /^(?:〒\s?)?(\d{3}-\d{4}|\d{5,6})(?=[ ,、，\u3000])[ ,、，\u3000]*/u.exec(text)
    const lead = zip === null ? 0 : zip[0].length
    if (zip !== null)
      report('zip_code', 'label in its script', at + zip[0].indexOf(zip[1]!), at + zip[0].indexOf(zip[1]!) + zip[1]!.length, 0.85)
    const rest = text
      .slice(lead)
      .replace(/[。；;].*$|\s{2}.*$|、[\u3400-\u9FFF\u3040-\u30FF]{2,6}(?:は|：|:).*$/u, '')
      .replace(/[\s,.，、]+$/u, '')
    if (rest.length >= 5) report('address', 'label in its script', at + lead, at + lead + rest.length, 0.8)
  },
  city({ text, at, separated }, report) {
    const value =
      /^(?:\p{Lu}[\p{Ll}\p{M}]+(?:[ -](?:\p{Lu}[\p{Ll}\p{M}]+|на|над|де))*|[\u3400-\u9FFF]{2,6}|[\uAC00-\uD7AF]{2,6}|[\u0590-\u0DFF\u0E00-\u0EFF]{2,16}(?: [\u0590-\u0DFF\u0E00-\u0EFF]{2,16})?)(?=$|[ \u3000]*[,;，；。、(（])/u.exec(
        text,
      )?.[0]
    if (separated && value !== undefined && !NO_NAME.test(value)) report('city', 'label in its script', at, at + value.length, 0.75)
  },
  country({ text, at, separated }, report) {
    const value =
      /^(?:\p{Lu}[\p{Ll}\p{M}]+(?: \p{L}[\p{Ll}\p{M}]+)?|[\u3400-\u9FFF]{2,5}|[\u30A0-\u30FF]{2,10}|[\uAC00-\uD7AF]{2,6}|[\u0590-\u0DFF\u0E00-\u0EFF]{2,16})(?=$|[ \u3000]*[,;，；。、(（])/u.exec(
        text,
      )?.[0]
    if (separated && value !== undefined && !NO_NAME.test(value)) report('country', 'label in its script', at, at + value.length, 0.7)
  },
  zip({ text, at }, report) {
    const value = /^〒?(?:\d{3}-\d{4}|\d{3} \d{2}|\d{4,7})(?!\d)/u.exec(text)?.[0]
    if (value !== undefined) report('zip_code', 'label in its script', at, at + value.length, 0.8)
  },
  birth({ at }, report, text) {
    const end = birthDateAt(text, at)
    if (end !== null) report('date_of_birth', 'label in its script', at, end, 0.92, true)
  },
  ssn({ text, at }, report) {
    const code = CODE.exec(text)?.[0] ?? ''
    const plain = code.replaceAll(/[^A-Z0-9]/gi, '').toUpperCase()
    const figures = plain.replaceAll(/\D/g, '').length
    const known = nationalId(plain)
    if (known || (figures >= 9 && figures <= 18)) report('ssn', 'label in its script', at, at + code.length, known ? 0.92 : 0.7, known)
  },
  passport: numberCheck('passport', 6),
  license: numberCheck('driver_license', 6),
  account: numberCheck('bank_account', 8),
  mrn: numberCheck('mrn', 4),
  condition({ text, at, separated }, report) {
    const value = /^[\p{L}\p{M}][\p{L}\p{M}\d '’-]{1,50}/u.exec(text.replace(/[，；。、,;].*$/u, ''))?.[0].trim()
    if (separated && value !== undefined && !NO_NAME.test(value) && !isPlaceholder(value))
      report('medical_condition', 'label in its script', at, at + value.length, 0.7)
  },
}
