import { Keyboard } from 'lucide-react'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { inOrder, type Command } from './feature.ts'
import { FEATURES } from './features.ts'
import { keyOf } from './keymap.ts'

const KEYS: Command = {
  id: 'keys',
  label: 'Keyboard shortcuts',
  icon: Keyboard,
  order: 1000,
  keys: keyOf('keyMap'),
  run: () => showOverlay('keys'),
}

/** What the palette offers from every screen: of all features, and the frame's own. */
export const useCommands = (): Command[] =>
  // always the same list: each hook is called each time
  inOrder([...FEATURES.flatMap(({ useCommands: useOwn = useNone }) => useOwn()), KEYS])

const NONE: readonly Command[] = []
const useNone = () => NONE
