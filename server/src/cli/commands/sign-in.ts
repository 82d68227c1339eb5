import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { nameHidden } from '#contracts/hidden-signs.ts'
import { type Command, oneArgument } from '../command.ts'

export const open: Command = {
  name: 'open',
  usage: 'open [--print]',
  takesNoArguments: true,
  summary: 'open the running app in a browser; --print prints a one-time sign-in link, valid for 60 s',
  options: { print: { type: 'boolean' } },
  async run(context) {
    const { client } = await context.connect()
    if (context.values['print'] !== true) {
      const { url, file, expiresAt } = await client.createSignInLink({ body: { file: true } })
      // A file instead of the address, because every user of the machine can read the arguments of a process.
      if (file !== null && (await context.browse(file)))
        return context.out({ url: new URL(url).origin, expiresAt, opened: true }, () => OPENED)
    }
    const { url, expiresAt } = await client.createSignInLink({ body: {} })
    context.out({ url, expiresAt, opened: false }, () => url)
  },
}

const OPENED = 'Opened in your browser. If the page does not appear, run `bashgym open --print` for a link.'

export const signOut: Command = {
  name: 'sign-out',
  usage: 'sign-out',
  takesNoArguments: true,
  summary: 'sign out every browser and renew the token file',
  async run(context) {
    const result = await (await context.connect()).client.signOutEverywhere({ body: {} })
    context.out(result, () => `${result.signedOut} signed out; the token file was renewed. Run \`bashgym open\` to sign in.`)
  },
}

export const confirm: Command = {
  name: 'confirm',
  usage: 'confirm CODE [--show|--yes]',
  summary: 'confirm what the app asks for; --show only shows it, --yes skips the question',
  options: { yes: { type: 'boolean' }, show: { type: 'boolean' } },
  async run(context) {
    const id = oneArgument(context, 'The confirmation code')
    const { client } = await context.connect()
    const confirmation = await client.getConfirmation({ params: { id } })
    if (context.values['show'] === true) return context.out(confirmation, () => wordsOf(confirmation))
    if (context.values['yes'] !== true) {
      context.note(wordsOf(confirmation))
      if (!(await context.ask('Allow this?'))) {
        context.note('Nothing was changed.')
        return 1
      }
    }
    const confirmed = await client.confirmChange({ params: { id }, body: {} })
    context.out(confirmed, () => 'Confirmed. The app goes on now.')
    return 0
  },
}

const wordsOf = ({ changes }: Confirmation) =>
  changes
    .map(({ what, from, to }) =>
      from === null ? `${what}\n  ${printable(to)}` : `${what}\n  now: ${printable(from)}\n  new: ${printable(to)}`,
    )
    .join('\n')

const printable = (text: string) => nameHidden(text) || '(empty)'
