import { describe, expect, it } from 'vitest'
import { scan } from './index.ts'

/** Forms that the rules were made for, each in texts of its own; «…» stands around what has to be found, by type. */
const FORMS: Record<string, readonly string[]> = {
  'other scripts': [
    'Пароль: «password|Zx81kub!k»',
    'логин: «username|petrov_iv» пароль «password|gR4nat-77»',
    'Имя: «person|Светлана Орлова»',
    'Адрес: «address|пр. Ленина, д. 5, кв. 12»',
    'Дата рождения: «date_of_birth|03.11.1982»',
    'Телефон: «phone|+7 912 345-67-80»',
    'Κωδικός: «password|Th3ssalia!»',
    'Ονοματεπώνυμο: «person|Νίκος Παππάς»',
    '密码：«password|Qing7dao!x»',
    '用户名：«username|wang_lei»',
    '姓名：«person|王小明»',
    '手机号：«phone|139 1234 5678»',
    '生年月日：«date_of_birth|1979年11月3日»',
    '氏名: «person|山田 花子»',
    'パスワードは «password|nagoya#48x» です',
    '비밀번호: «password|busan!2024q»',
    '성명: «person|김민준»',
    'كلمة المرور: «password|Cairo!77x»',
    'الاسم: «person|ليلى حداد»',
    'סיסמה: «password|Haifa#2291»',
    'पासवर्ड: «password|Delhi@8821»',
    'नाम: «person|रमेश कुमार»',
  ],
  'accounts of systems': [
    'ACME\\«username|k.becker» logged on',
    'whoami\n«username|tbecker»\n',
    '$ hostname\n«hostname|build-eu-07»\n',
    '«username|tbecker»:x:1004:1004:«person|Tobias Becker»,,,:/home/«username|tbecker»:/bin/bash',
    '10.2.3.4 - «username|tbecker» [14/Jun/2026:11:02:07 +0200] "GET / HTTP/1.1" 200 5',
    'arn:aws:iam::123456789012:user/«username|ci-tobias»',
    'CN=«person|Tobias Becker»,OU=Staff,DC=acme,DC=org',
    'uid=«username|tbecker»,ou=people,dc=acme,dc=org',
    'Logged in to gitlab.com as «username|tobias-becker»',
    'can you add user «username|grey.heron» to the group',
    'log in as «username|grey_heron84»',
    '«username|tbecker» pts/0        2026-05-01 10:00 (10.2.69.142)',
    "CREATE ROLE «username|etl_tobias» LOGIN PASSWORD '«password|Vb7kk2qqX»'",
    "ALTER USER «username|etl_tobias» WITH ENCRYPTED PASSWORD '«password|Vb7kk2qqX»'",
    'Build token (user «username|tobias.becker») expired',
    'seen on «hostname|DESKTOP-4KD81QA» today',
    'Test-NetConnection; Enter-PSSession -ComputerName «hostname|SRV-HH-DC02»',
    'net use S: \\\\«hostname|FILER-07»\\share',
    'ProxyJump «hostname|edge-jump-2»',
    '$ ping «hostname|nuc-lab-03»',
    'it runs on «hostname|db-07.acme.internal».',
    'reboot host «hostname|web-eu-11» tonight',
    'http://«hostname|jenkins-02»:8080/job/1',
    '2026-05-05T10:00:00.123+02:00 «hostname|web-07» nginx[991]: started',
    'May 5 10:00:00 «hostname|web-07» systemd[1]: Started nginx.',
    'sudo: «username|tbecker» : TTY=pts/0 ; PWD=/srv ; USER=root ; COMMAND=/bin/ls',
    '«hostname|gke-eu-pool-1-8f7d6s5a-x2k9»   Ready    <none>   10d   v1.29',
    'Successfully assigned shop/cart-7d9 to «hostname|worker-pool-eu-07»',
    '10.0.4.7 «hostname|web-07» «hostname|web-07.prod.lan»',
  ],
  'passwords in sentences': [
    'parola «password|Yagmur4821» oldu',
    'please use «password|Winter2031!» for the demo account',
    'the mailbox uses «password|Tannsee_41» as its password',
    'Zugangsdaten: jm / «password|Vb82mmQz!»',
    'rotated it from «password|Vb82mmQz!» to «password|Lw93nnRa!»',
    'you can get in with «username|svc-report» / «password|Mq9!xLw2»',
    'the admin pw is now «password|Nebelkrähe_12» (before: «password|Rotkehlchen_11»)',
    'mot de passe : « «password|Hirondelle-88» »',
    "Enter passphrase for key '/home/x/.ssh/id_ed25519': «password|moorhuhn4711»",
    'wifi key for the office: «password|waldameise77»',
    'spring.mail.password=«password|abqd xkwz mnop qrtz»',
    'GPG_PASSPHRASE=«password|sturmvogel kaminholz»',
    'password: "«password|Rv7!kk29xa»", username: "«username|svc_mailer»"',
  ],
  'passwords in code and settings': [
    'password: process.env.DB_PW || "«password|kX82mmQz1»"',
    'DB_PASSWORD = os.environ.get("DB_PASSWORD", "«password|kX82mmQz1»")',
    "const token = env('API_TOKEN', '«secret|9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c»')",
    'FLOWER_BASIC_AUTH=«username|monitor»:«password|quarz-Adler-771»',
    "ftp_login($c, '«username|www_upload»', '«password|Kp92mmzz»')",
    'aws configure set aws_secret_access_key «secret|kD83jfKw92mfLq0Xc71bVn5sYt6uRz4eWo8pQa2h»',
    'NAME                VALUE\nAPI_TOKEN           «secret|8c2f6a1e-4b7d-4e0f-9a3c-5d1b7e8f2a60»  production\n',
    '"redis": "«connection_string|cache.acme.org:6380,password=Zk82mmQz1abc,ssl=True»"',
    'cn.Open "«connection_string|DSN=Shop;UID=reader;PWD=Kx82mmQz»"',
    'headers = {"Authorization": f"Token «auth_token|3f786850e387550fdab836ed7e6dc881de23001b»"}',
    'Authorization: SSWS «auth_token|00QCjAl4MlV-WPXM5ROY8VLQ4xk2aBcDeFgHiJkLmN»',
    "curl -b 'sessionid=«auth_token|k2j4h5g6f7d8s9a0q1w2e3r4t5y6u7i8»' https://x.acme.org/",
    'GET /auth/callback?code=«auth_token|4b7dK9xQ2mL5nP8rT1vW3yZ6»&state=1',
    '$ openssl rand -hex 16\n«secret|b1946ac92492d2347c6235b4d2611184»\n',
    '$ cat /run/secrets/db_password\n«secret|Zk82mmQz1abcXw93»\n',
    'otpauth://totp/Acme:«email|jane@acme.com»?secret=«secret|JBSWY3DPEHPK3PXPJBSW»&issuer=Acme',
    'KEY=«api_key|vercel_blob_rw_Kd83jfKw92mfLq_0Xc71bVn5sYt6uRz4eWo8pQa2h»',
    'use «api_key|pk_8f2k4j6h8g0d2s4a6q8w0e2r4t6y8u0i» now',
    'spring.datasource.password=${DB_PW:«password|Vb82mmQz»}',
    "x: {{ db_password | default('«password|Vb82mmQz»') }}",
    "new Sequelize('shop', '«username|shop_rw»', '«password|Vb82mmQz»', {})",
    'DriverManager.getConnection(url, "«username|shop_rw»", "«password|Vb82mmQz»")',
    'SESSION_SECRET: «secret|kd92lsmz»',
    '"clientSecret": "«secret|V0xkS82mmQ»"',
    'calling with key=«api_key|8f3kd921lsmzz01pq83nd82mm» now',
    'sonar: «api_key|sqp_0c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f»',
  ],
  'people and places': [
    'BEGIN:VCARD\nN:«person|Becker»;«person|Tobias»;;;\nADR;TYPE=HOME:;;«address|Lindenweg 4»;«city|Ulm»;;«zip_code|89073»;«country|Germany»\nEND:VCARD',
    '{"family":"«person|Becker»","given":["«person|Tobias»"]}',
    'Claimant: «person|Wilhelmina Achterbosch»',
    'PLZ/Ort: «zip_code|04109» «city|Leipzig»',
    'datum narození: «date_of_birth|7. 3. 1984»',
    '{"type":{"text":"MRN"},"value":"«mrn|MR-4410287»"}',
    'PAN: «ssn|ABCPE1234F»',
    'sie wohnt in «zip_code|04229» «city|Leipzig» seit Mai',
    'Mevrouw «person|van Dongen» belde',
    '«address|31 Smith St», «city|Fitzroy» VIC «zip_code|3065»',
    '«address|Keizersgracht 221», «zip_code|1016 DV» «city|Amsterdam»',
    'Author: «person|M Kowalski» <«email|mk@kowalski.dev»>',
  ],
}

/** What looks like one of the forms and is none. */
const NOTHING = [
  'App\\Models\\User and src\\lib\\main.ts',
  'HKLM\\Software\\Node and NT AUTHORITY\\SYSTEM',
  'Имя: введите имя',
  '密码：请输入密码',
  'password: process.env.DB_PW || ""',
  'const x = env("NODE_ENV", "production")',
  '"password.label": "Passwort", "password.hint": "mindestens zehn Zeichen"',
  'cat src/token.ts\nexport function parseTokenStream(source) {\n',
  '$ cat package-lock.json | head\n{\n',
  'GRANT SELECT ON orders TO PUBLIC;',
  'api_version_20240101_preview and secret_santa_2024_participants_list',
  'key_value_store_with_lru_eviction_2 access_log_rotation_daily_v3',
  '?code=404&state=1',
  'user: can you fix the login test',
  'welcome as always; logged in as expected',
  '$pw = Read-Host -AsSecureString',
  'Given When Then',
  'font-family:"Helvetica Neue",Arial',
  'Last login: Tue May 5 10:00:00 on ttys000',
  'const fetchUser = async (id: number) => id',
  'the server-side host machine and a node-based box',
  'http://localhost:3000 and http://api:8080/v1',
  'driver 31.0.15.5212 was installed',
  'the token: uint256 and password: string',
  'chunk-vendors.8c2f6a1e.js msg_01ABCdefGHIjklMNOpqrSTU toolu_01A09q90qw90lq917835lq9',
]

describe.each(Object.entries(FORMS))('forms of %s', (_name, texts) => {
  it.each(texts)('%s', (marked) => {
    const wanted: string[] = []
    const text = marked.replaceAll(/«([a-z_]+)\|([^»]*)»/g, (_whole, type: string, value: string) => {
      wanted.push(`${type}: ${value}`)
      return value
    })
    const kind = (type: string) => (/^(?:password|secret|api_key|auth_token)$/.test(type) ? 'secret' : type)
    const found = scan(text)
      .filter(({ confidence }) => confidence >= 0.5)
      .map(({ type, start, end }) => `${kind(type)}: ${text.slice(start, end)}`)
    expect(found).toEqual(wanted.map((one) => `${kind(one.slice(0, one.indexOf(':')))}${one.slice(one.indexOf(':'))}`))
  })
})

it.each(NOTHING)('nothing in %s', (text) => {
  expect(scan(text).filter(({ confidence }) => confidence >= 0.5)).toEqual([])
})
