/** Whom programs of a machine trust over TLS: this machine's own list, which is copied to where they look for it. */
import fs from 'node:fs'

/** Debian and Arch; Fedora; openSUSE. */
const BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/ca-bundle.pem']

/** Null if this machine has none. */
export const CERTIFICATES: string | null = BUNDLES.find((file) => fs.existsSync(file)) ?? null

/** For programs that would look into a folder of single certificates. */
export const CERTIFICATES_ENV: Record<string, string> = CERTIFICATES === null ? {} : { SSL_CERT_FILE: CERTIFICATES }
