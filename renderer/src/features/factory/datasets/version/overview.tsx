import type { Dataset } from '#contracts/entities/dataset.ts'
import { Balance } from './balance.tsx'
import { Funnel } from './funnel.tsx'
import { Lengths } from './lengths.tsx'
import { PrivacyPart } from './privacy-part.tsx'

export const Overview = ({ dataset }: { dataset: Dataset }) => (
  <div className="min-h-0 flex-1 overflow-y-auto">
    <div className="mx-auto flex w-full max-w-[1288px] flex-col gap-8 px-6 py-5">
      <Funnel dataset={dataset} />
      <Balance dataset={dataset} />
      <Lengths dataset={dataset} />
      <PrivacyPart dataset={dataset} />
    </div>
  </div>
)
