import type { IncomingMessage } from 'node:http'
import helmet from 'helmet'

/** The policy of every answer. Each directive is set: helmet's defaults allow more. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"], // the primitives (select, dialog, toasts) set style elements
      'connect-src': ["'self'", (request) => socketSource(request)],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: false, // plain HTTP on loopback
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
})

/** 'self' does not cover ws: in older engines. The policy grammar has no IPv6 addresses, so there 'self' must do. */
const socketSource = ({ headers }: IncomingMessage) =>
  headers.host && /^[\w.-]+(:\d+)?$/.test(headers.host) ? `ws://${headers.host}` : "'self'"
