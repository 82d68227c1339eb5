/**
 * Words that name the value beside them, in English, German, French, Spanish, Italian, Portuguese and Dutch. A label is
 * matched by its last words, so that `stripe_api_key`, `customerPhone` and "IP address" need no entries of their own.
 */
export type Kind =
  | 'password'
  | 'secret'
  | 'token'
  | 'apiKey'
  | 'connection'
  | 'person'
  | 'given'
  | 'name'
  | 'email'
  | 'phone'
  | 'ssn'
  | 'passport'
  | 'license'
  | 'birth'
  | 'card'
  | 'account'
  | 'cvv'
  | 'iban'
  | 'address'
  | 'street'
  | 'zip'
  | 'city'
  | 'country'
  | 'ip'
  | 'mrn'
  | 'plan'
  | 'condition'
  | 'diagnosis'
  | 'username'
  | 'hostname'

const TABLE: Record<Kind, string> = {
  password: `password|passwd|pwd|pass|passphrase|pass phrase|pass word|passcode|pgpassword|mysqlpwd|dbpass|dbpassword|dbpasswd|userpass|userpassword|rootpassword|smtppass|sshpass|
    redispassword|authpass|keypass|storepass|requirepass|masterauth|passwort|kennwort|zugangskennwort|motdepasse|mot de passe|mdp|contraseña|contrasena|clave de acceso|clave|senha|wachtwoord|parola d'ordine|
    parola chiave|parola|pw|psw|pin code|passw|hasło|lösenord|admin pw|userpw|dbpw`,
  secret: `secret|secrets|secret key|secretkey|client secret|clientsecret|app secret|appsecret|shared secret|signing secret|signing key|signingkey|webhook secret|encryption key|encryptionkey|enc key|
    master key|masterkey|private key|privatekey|secret access key|secretaccesskey|account key|accountkey|storage key|shared access key|sharedaccesskey|jwt secret|jwtsecret|session secret|
    cookie secret|secret key base|hmac key|hmac|salt key|salt|pepper|license key|licensekey|fernet key|vault key|unseal key|recovery key|deploy key|consumer secret|oauth secret|api secret|apisecret|credential|
    credentials|geheimnis|geheimschlüssel|schlüssel geheim|clé secrète|cle secrete|clave secreta|chiave segreta|chave secreta|geheime sleutel|secreto|segreto|segredo|webhook key|csrf secret|totp secret|otp secret|mfa secret|seed phrase|crypt key|aes key|data key|kms key|integration key|routing key|write key|ingest key|instrumentation key|project key secret|nextauth secret|auth secret|app key|appkey`,
  token: `token|tokens|access token|accesstoken|auth token|authtoken|refresh token|refreshtoken|id token|idtoken|bearer|bearer token|session token|sessiontoken|api token|apitoken|bot token|bottoken|
    bearertoken|auth|authorization|x auth token|pat|personal access token|oauth token|csrf token|xsrf token|jwt|session key|sessionkey|session cookie|cookie|id token hint|deploy token|npm token|registry token|zugriffstoken|jeton|jeton d'accès|ficha de acceso|token de acceso|token di accesso|token de acesso|toegangstoken|sas token|sastoken`,
  apiKey: `api key|apikey|x api key|access key|accesskey|access key id|subscription key|api schlüssel|clé api|cle api|clé d'api|clave api|clave de api|chiave api|chave api|chave de api|api sleutel|service key|service role key|anon key|publishable key|server key|maps key|key id secret|auth key|authkey|admin key|anthropic key|openai key|stripe key`,
  connection: `connection string|connectionstring|conn str|connstr|conn string|dsn|database url|databaseurl|db url|mongo uri|mongodb uri|redis url|amqp url|verbindungszeichenfolge`,
  person: `full name|fullname|real name|realname|display name|displayname|legal name|customer name|customername|patient name|patientname|patient|contact name|contact person|contactname|contact|employee name|employee|
    user full name|account holder|accountholder|card holder|cardholder|cardholder name|card holder name|name on card|holder|beneficiary|recipient name|recipient|sender name|author name|authorname|author|authors|
    owner name|maintainer|committer|reviewer name|manager|supervisor|reporter|requester|attendee|organizer|assignee name|attn|attention|signed off by|co authored by|reviewed by|acked by|tested by|reported by|author name|user name full|guest name|member name|tenant name person|
    doctor|physician|attending|emergency contact|next of kin|mother's maiden name|mothers maiden name|maiden name|contact full name|billing name|shipping name|customer|client name|applicant|applicant name|passenger|passenger name|student name|student|teacher|lead name|
    ansprechpartner|ansprechpartnerin|vollständiger name|kontoinhaber|empfänger|bearbeiter|kunde|kundenname|patientin|mitarbeiter|mitarbeiterin|nom complet|nom du client|nom du patient|titulaire|destinataire|interlocuteur|
    nombre completo|nombre del cliente|nombre del paciente|titular|destinatario|paciente|cliente|nome completo|nome e cognome|nome do cliente|nome do paciente|intestatario|paziente|destinatário|
    volledige naam|naam klant|contactpersoon|rekeninghouder|patiënt|klant|medewerker|vor und nachname|nombre y apellidos|prénom et nom|nom et prénom`,
  given: `first name|firstname|last name|lastname|middle name|middlename|surname|given name|givenname|given names|family name|familyname|forename|fname|lname|nickname real|vorname|nachname|familienname|geburtsname|prénom|prenom|
    nom de famille|nom|apellido|apellidos|primer nombre|segundo apellido|nombre|cognome|sobrenome|apelido|primeiro nome|voornaam|achternaam|tussenvoegsel naam`,
  name: `name|names|nome|naam|hr name|user real|who|from|to|cc|bcc|reply to|von|an|de`,
  email: `email|e mail|mail|email address|e mail address|mail address|emailaddress|mailadresse|e mail adresse|courriel|adresse e mail|correo|correo electrónico|posta elettronica|e mailadres|useremail|contactemail`,
  phone: `phone|phone number|phonenumber|telephone|telephone number|tel|mobile|mobile number|mobile phone|mobilephone|cell|cell phone|cellphone|cell number|fax|fax number|whatsapp|call|call me at|call us at|phone no|contact number|
    home phone|work phone|homephone|workphone|msisdn|sms|text me at|reach me at|hotline|landline|telefon|telefonnummer|rufnummer|handy|handynummer|mobil|mobilnummer|mobiltelefon|festnetz|durchwahl|téléphone|telephone portable|portable|
    numéro de téléphone|tél|fixe|teléfono|telefono|número de teléfono|móvil|movil|celular|numero di telefono|cellulare|telefone|número de telefone|telemóvel|telemovel|telefoonnummer|telefoon|mobiel|mobiele nummer|gsm|phone num|phonenum|ph`,
  ssn: `ssn|social security|social security number|social security no|social security num|socialsecuritynumber|social|ssnumber|ss number|tax id|taxpayer id|itin|sozialversicherungsnummer|rentenversicherungsnummer|steuer id|steueridentifikationsnummer|steuernummer|identifikationsnummer|
    numéro de sécurité sociale|sécurité sociale|nir|número de seguridad social|seguridad social|dni|nie|codice fiscale|cpf|nif|bsn|burgerservicenummer|sofinummer|national insurance number|national insurance|nino|national id|nationalid|national id number|pesel|aadhaar|nino number`,
  passport: `passport|passport number|passport no|passport num|passport id|passportnumber|passportno|reisepass|reisepassnummer|passnummer|pass nr|reisepass nr|passport num|ausweisnummer|personalausweis|passeport|numéro de passeport|pasaporte|número de pasaporte|passaporto|numero di passaporto|passaporte|
    número do passaporte|paspoort|paspoortnummer|travel document|travel document number`,
  license: `driver license|drivers license|driver's license|driver licence|drivers licence|driver's licence|driving licence|driving license|driver license number|drivers license number|driver's license number|driving licence number|driverlicense|driverslicense|
    driverlicensenumber|driverslicensenumber|driver license no|drivers license no|driver's license no|driver lic|drivers lic|dl number|dl no|dln|dl|license number|licence number|license no|licence no|driver licence number|drivers licence number|führerschein|führerscheinnummer|fuehrerschein|permis de conduire|numéro de permis|permis|licencia de conducir|carnet de conducir|
    permiso de conducir|patente di guida|numero patente|patente|carta de condução|carteira de motorista|cnh|habilitação|rijbewijs|rijbewijsnummer`,
  birth: `date of birth|dateofbirth|dob|birth date|birthdate|birth day|birthday|born|born on|birth|bday|d o b|geburtsdatum|geburtstag|geboren am|geboren|geb|date de naissance|né le|née le|naissance|fecha de nacimiento|nacimiento|nacido el|nacida el|nacido|
    data di nascita|nascita|nato il|nata il|data de nascimento|nascimento|nascido em|nascida em|geboortedatum|geboren op|geboortedag`,
  card: `credit card|creditcard|card number|cardnumber|card no|credit card number|creditcardnumber|cc number|ccnumber|cc|cc num|debit card|pan|card|kreditkarte|kreditkartennummer|kartennummer|carte bancaire|carte de crédit|numéro de carte|tarjeta|tarjeta de crédito|
    número de tarjeta|carta di credito|numero carta|cartão|cartão de crédito|número do cartão|creditcardnummer|kaartnummer|payment card`,
  account: `bank account|bankaccount|bank account number|account number|accountnumber|account no|acct|acct no|acct number|account num|acctnum|bank acct|routing|routing number|blz|bankleitzahl|bsb|account|acc|routingnumber|routing no|aba|sort code|sortcode|checking account|savings account|bank account no|kontonummer|konto nr|konto|bankkonto|
    bankverbindung|numéro de compte|compte bancaire|rib|número de cuenta|cuenta bancaria|cuenta|ccc|clabe|numero di conto|conto corrente|numero conto|número da conta|conta bancária|conta corrente|conta|nib|rekeningnummer|bankrekening|bankrekeningnummer|direct deposit account|beneficiary account`,
  cvv: `cvv|cvc|cvv2|cvc2|card security code|security code|card verification value`,
  iban: `iban|iban nr|iban number|iban no`,
  address: `address|street address|streetaddress|home address|homeaddress|mailing address|billing address|billingaddress|shipping address|shippingaddress|delivery address|postal address|residence|residential address|address line|addressline|addr line|lives at|living at|located at|address 1|resides at|
    adresse|anschrift|wohnadresse|lieferadresse|rechnungsadresse|postanschrift|wohnhaft|wohnort adresse|adresse postale|domicile|adresse de livraison|dirección|direccion|domicilio|dirección de envío|indirizzo|residenza|residente in|endereço|endereco|morada|
    adres|woonadres|postadres|factuuradres|bezorgadres|ship to|deliver to|bill to`,
  street: `street|street name|streetname|straße|strasse|rue|calle|via|rua|straat|straatnaam|street 1|strasse hausnummer`,
  zip: `zip|zip code|zipcode|postal code|postalcode|postcode|post code|postal|plz|postleitzahl|code postal|codepostal|código postal|codigo postal|cap|cep|postcode nl|codice postale|codice avviamento postale|cp`,
  city: `city|town|city name|cityname|home town|hometown|place of birth|birthplace|city of residence|locality|stadt|ort|wohnort|geburtsort|ville|lieu de naissance|commune|ciudad|localidad|lugar de nacimiento|città|citta|comune|luogo di nascita|cidade|localidade|naturalidade|
    stad|woonplaats|plaats|geboorteplaats|billing city|shipping city`,
  country: `country|country name|countryname|country of residence|nationality|citizenship|country of birth|land|staatsangehörigkeit|nationalität|pays|nationalité|país|pais|nacionalidad|paese|nazione|nazionalità|nacionalidade|nationaliteit`,
  ip: `ip|ip address|ipaddress|ip addr|ipaddr|client ip|clientip|remote addr|remote address|remoteaddr|source ip|src ip|host ip|server ip|public ip|x forwarded for|x real ip|ip adresse|adresse ip|dirección ip|indirizzo ip|endereço ip|ip adres`,
  mrn: `mrn|medical record|medical record number|medical record no|medicalrecordnumber|medical record num|med rec no|med rec|patient id|patientid|patient number|patient no|chart number|chart no|hospital number|nhs number|nhs no|patientennummer|patienten id|fallnummer|aktenzeichen patient|numéro de dossier|numéro de dossier médical|dossier médical|
    ipp|número de historia clínica|historia clínica|historial médico|nhc|numero cartella clinica|cartella clinica|número do prontuário|prontuário|patiëntnummer|patiëntnr|dossiernummer`,
  plan: `health card|health card number|health plan|health plan id|health plan number|healthplanid|health plan beneficiary number|health insurance|health insurance number|health insurance id|health insurance no|insurance id|insurance number|insurance member id|insurance policy|insurance policy number|member id|memberid|member number|member no|subscriber id|
    subscriber number|policy number|policy no|policynumber|group number|medicare|medicare number|medicare id|medicaid|medicaid id|medicaid number|mbi|beneficiary id|beneficiary number|hic number|krankenversichertennummer|krankenversicherungsnummer|versichertennummer|versicherungsnummer|kvnr|numéro d'assuré|numéro de mutuelle|mutuelle|carte vitale|
    tarjeta sanitaria|número de póliza|número de afiliado|póliza|poliza|tessera sanitaria|numero polizza|polizza|cartão nacional de saúde|cns|número do plano de saúde|plano de saúde|carteirinha|zorgverzekering|polisnummer|verzekeringsnummer|zorgpolis`,
  condition: `medical condition|medicalcondition|medical conditions|health condition|health conditions|medical history|conditions|condition|allergies|allergy|allergic to|diagnosed with|suffers from|suffering from|treated for|history of|admitted with|admitted for|presents with|complains of|chronic condition|pre existing condition|preexisting condition|comorbidities|illness|disease|disorder|vorerkrankung|vorerkrankungen|
    erkrankung|krankheit|leidet an|leidet unter|allergien|allergie|condition médicale|antécédents|antécédents médicaux|maladie|souffre de|atteint de|allergique à|condición médica|enfermedad|padece|padece de|sufre de|antecedentes|alergias|alergia|condizione medica|malattia|soffre di|patologia|affetto da|affetta da|
    condição médica|doença|sofre de|alergias|aandoening|ziekte|lijdt aan|allergieën`,
  diagnosis: `diagnosis|diagnoses|dx|primary diagnosis|secondary diagnosis|admitting diagnosis|icd|icd 10|icd10|icd code|icd 10 code|diagnose|diagnostic|diagnostic principal|diagnóstico|diagnostico|diagnosi`,
  username: `username|user name|user|login|login name|loginname|userid|uname|account name|login user|ssh user|sshuser|db user|dbuser|db username|pguser|logname|owner user|handle|benutzername|benutzer|anmeldename|nom d'utilisateur|utilisateur|identifiant|nombre de usuario|usuario|nome utente|utente|nome de usuário|nome de utilizador|usuário|utilizador|gebruikersnaam|gebruiker|inlognaam|samaccountname|git user|github user|github username|sudo user|run as|run user|remote user|ansible user|logged in as`,
  hostname: `hostname|host name|host|server|server name|servername|computer name|computername|machine name|machinename|node name|nodename|fqdn|dns name|db host|dbhost|pghost|smtp host|redis host|rechnername|servername|nom d'hôte|serveur|nombre de host|servidor|nome host|nome do servidor|servernaam|hostnaam|bastion|jump host|target host|ansible host`,
}

export const LABELS = new Map<string, Kind>()
for (const [kind, phrases] of Object.entries(TABLE) as [Kind, string][]) {
  for (const phrase of phrases.split('|')) {
    const trimmed = phrase.trim()
    if (trimmed !== '' && !LABELS.has(trimmed)) LABELS.set(trimmed, kind)
  }
}
const LONGEST = Math.max(...[...LABELS.keys()].map((phrase) => phrase.split(' ').length))

/** Last words of all labels, lower case: the words whose neighbourhood is worth a look. */
export const LAST_WORDS = new Set([...LABELS.keys()].map((phrase) => phrase.split(' ').at(-1)!))

/** Lower-cased words of an identifier or phrase: camelCase, snake_case, kebab-case, spaces. */
export function wordsOf(identifier: string): string[] {
  return identifier
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d'’]+/u)
    .filter((word) => word !== '')
}

export interface Label {
  kind: Kind
  /** The words that matched. */
  phrase: string
  /** Words before them: `stripe` in `stripe_api_key`. */
  before: string[]
}

/** The label in which these words end, the longest first; null when they end in none. */
export function labelOf(words: readonly string[]): Label | null {
  for (let count = Math.min(LONGEST, words.length); count > 0; count -= 1) {
    const phrase = words
      .slice(words.length - count)
      .join(' ')
      .replaceAll('’', "'")
    const kind = LABELS.get(phrase)
    if (kind !== undefined) return { kind, phrase, before: words.slice(0, words.length - count) }
  }
  return null
}
