import type { Request } from 'express'
import type { AppError } from '#contracts/errors.ts'

/** True if a browser is navigating, so that it gets a page instead of JSON. */
export const wantsPage = (request: Request): boolean => !/^\/api(\/|$)/.test(request.path) && request.accepts(['json', 'html']) === 'html'

/** An error page that needs no file of the renderer, because unknown hosts must not get those. */
export const failurePage = ({ message, hint }: AppError): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Bash Gym</title>
<style>
:root { background: #fbfbfc; color: #16191d }
@media (prefers-color-scheme: dark) { :root { background: #0e1013; color: #e6e8eb } }
a { color: inherit }
body { font: 14px/1.45 system-ui, sans-serif; max-width: 52ch; margin: 20vh auto 0; padding: 0 24px; overflow-wrap: anywhere }
</style>
<h1>This page cannot be shown</h1>
<p>${escaped(message)}</p>
${hint === undefined ? '' : `<p>${escaped(hint)}</p>`}
<p><a href="/">Open Bash Gym</a></p></html>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
