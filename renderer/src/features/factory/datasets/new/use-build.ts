import { DatasetBuilt, type DatasetRecipe } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { useJobOf } from '#renderer/api/use-job.ts'

/** Builds a version. Any screen that uses this shows the running build. */
export function useBuild() {
  const { result, ...job } = useJobOf('dataset', (body: DatasetRecipe) => api.buildDataset({ body }), "Couldn't start the build")
  const built = DatasetBuilt.safeParse(result)
  return { ...job, built: built.success ? built.data : null }
}
