import { useSystemInfo } from '#renderer/api/system.ts'
import { useBaseModels } from '#renderer/api/base-models.ts'
import { useTrainingDevices, useTrainingEnvironment } from '#renderer/api/training-environment.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { machineLines, pythonSentence, trainableSentence } from './sentences.ts'
import { Step } from './step.tsx'

/** What this machine has, and what can be trained on it. */
export function MachineStep({ number }: { number: number }) {
  const devices = useTrainingDevices().data
  const models = useBaseModels().data
  const lines = [
    ...machineLines(devices?.items, useSystemInfo().data?.memoryBytes),
    { name: 'Python for training', value: pythonSentence(useTrainingEnvironment().data) },
    { name: 'Models that can be trained', value: trainableSentence(models?.items) },
  ]
  return (
    <Step number={number} title="This machine">
      <Facts>
        {lines.map(({ name, value }) => (
          <Fact key={`${name} ${value}`} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      {devices?.problem ? <p className="text-sm text-warn">{devices.problem}</p> : null}
    </Step>
  )
}
