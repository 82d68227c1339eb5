import { Loader, Unplug, Wifi } from 'lucide-react'
import { useConnection } from '#renderer/api/connection.ts'
import { ToastLine } from '#renderer/ui/toast.tsx'
import { inOrder, type StatusItem } from './feature.ts'
import { FEATURES } from './features.ts'
import { StatusPart } from './status-part.tsx'

const ITEMS = inOrder<StatusItem>(FEATURES.flatMap(({ status = [] }) => status))

/** Always visible: capture, the safety of the archive, running work, the disk, the connection. Each part is a link. */
export const StatusBar = () => (
  <footer aria-label="Status" className="flex h-7 shrink-0 items-center overflow-hidden border-t border-line bg-panel px-1 text-xs">
    <Side side="left" />
    <ToastLine />
    <Side side="right" />
    <ConnectionPart />
  </footer>
)

const Side = ({ side }: { side: StatusItem['side'] }) =>
  ITEMS.filter((item) => item.side === side).map(({ order, Item }) => <Item key={order} features={FEATURES} />)

function ConnectionPart() {
  const { state } = useConnection()
  const online = state === 'online'
  return (
    <StatusPart
      href="/settings/about"
      icon={online ? Wifi : state === 'offline' ? Unplug : Loader}
      tone={state === 'offline' ? 'text-warn' : 'text-second'}
    >
      {online ? 'Connected' : state === 'offline' ? 'Not connected' : 'Connecting'}
    </StatusPart>
  )
}
