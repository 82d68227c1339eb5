/** The TLS certificates of this machine, which are copied to the same path inside, so that programs there trust the same servers. */
import fs from 'node:fs'

/** Debian and Arch; Fedora; openSUSE. */
const BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/ca-bundle.pem']

/** Null if this machine has no such file. */
export const CERTIFICATES: string | null = BUNDLES.find((file) => fs.existsSync(file)) ?? null

/** For programs that would otherwise look for a folder with one file per certificate. */
export const CERTIFICATES_ENV: Record<string, string> = CERTIFICATES === null ? {} : { SSL_CERT_FILE: CERTIFICATES }
