import { showOverlay, useOverlays } from '#renderer/stores/overlays.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { KEYMAP, isSingleKey, printKey, type ActionId } from './keymap.ts'
import { useActiveActions } from './use-keys.ts'

/** The keys that work on the screen beneath, from the same table as their handlers. */
export function KeyMapOverlay({ singleKeys }: { singleKeys: boolean }) {
  const open = useOverlays((overlays) => overlays.open === 'keys')
  const groups = Map.groupBy(useActiveActions(), (id) => KEYMAP[id].group)
  return (
    <Dialog open={open} onOpenChange={(next) => showOverlay(next ? 'keys' : null)} title="Keyboard shortcuts" wide>
      {singleKeys ? null : (
        <p className="pb-3 text-sm text-second">
          Single-letter keys are switched off in <TextLink href="/settings/appearance">Settings</TextLink>; grey ones are inactive.
        </p>
      )}
      <div className="gap-x-8 pt-2 sm:columns-2">
        {[...groups].map(([group, ids]) => (
          <section key={group} aria-label={group} className="break-inside-avoid pb-5">
            <h3 className="pb-1 text-xs text-second">{group}</h3>
            <dl>
              {ids.map((id) => (
                <Line key={id} id={id} singleKeys={singleKeys} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Line({ id, singleKeys }: { id: ActionId; singleKeys: boolean }) {
  const { keys, label } = KEYMAP[id]
  const off = !singleKeys && keys.every(isSingleKey)
  return (
    <div className={`flex min-h-7 items-center justify-between gap-4 border-b border-line text-sm ${off ? 'text-second' : ''}`}>
      <dt>{label}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <span key={key}>
            <span className="sr-only">{printKey(key)}</span>
            <KeyHint keys={printKey(key)} />
          </span>
        ))}
      </dd>
    </div>
  )
}
