import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Countries whose national formats are tried, most likely first. */
const COUNTRIES: readonly CountryCode[] = [
  'US',
  'GB',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'BR',
  'PT',
  'IN',
  'AT',
  'CH',
  'BE',
  'AU',
  'CA',
  'MX',
  'JP',
  'PL',
  'SE',
  'IE',
]

export const isInternational = (text: string) => parsePhoneNumberFromString(text.replace(/^00/, '+'))?.isValid() === true

/** Whether a number in national format is a possible phone number. */
export const isNational = (text: string, countries: readonly CountryCode[] = COUNTRIES) =>
  countries.some((country) => parsePhoneNumberFromString(text, country)?.isValid() === true)
