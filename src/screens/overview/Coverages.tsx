import { useCoverage } from '../../api/health/summary.ts'
import { Card, CardContent } from './Card.tsx'
import { CoverageRow } from './CoverageRow.tsx'

const title = 'How forecasts turned out'

/** How often cartridges ended inside the intervals of their forecasts: what is claimed of them is shown. */
export function Coverages() {
  const { data, error } = useCoverage()
  return (
    <Card title={title}>
      <CardContent data={data} error={error} empty="No forecast has an outcome yet." isEmpty={all => all.length === 0}>
        {all => (
          <>
            <ul aria-label={title} className="grid gap-2.5">
              {all.map(coverage => (
                <CoverageRow key={coverage.kind} coverage={coverage} />
              ))}
            </ul>
            <p className="mt-2.5 text-[12px] text-ink3">
              80 % of cartridges should end inside their interval. Forecasts by date are not judged.
            </p>
          </>
        )}
      </CardContent>
    </Card>
  )
}
