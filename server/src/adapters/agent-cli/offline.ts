/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

/** Keeps Claude Code from sending anything to others. */
export const OFFLINE = {
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  NO_PROXY: '127.0.0.1,localhost',
}
