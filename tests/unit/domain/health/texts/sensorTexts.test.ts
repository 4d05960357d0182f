import { expect, test } from 'vitest'
import { isScoreUnsure } from '../../../../../src/domain/health/score.ts'
import { defectiveText } from '../../../../../src/domain/health/texts/sensorTexts.ts'

test('a defective sensor says what is not measured, and whether the score needs it', () => {
  expect(defectiveText([])).toBeUndefined()
  expect(defectiveText(['outlet_tds_sensor'])).toBe(
    'The outlet TDS sensor is reported as defective. Not measured until then: salt passage. The score counts what was measured in the 30 days before.',
  )
  expect(defectiveText(['inlet_flow_sensor'])).toBe(
    'The inlet flow sensor is reported as defective. Not measured until then: restrictor. The score does not need it.',
  )
  expect(defectiveText(['inlet_tds_sensor', 'inlet_flow_sensor'])).toBe(
    'The inlet TDS sensor and inlet flow sensor are reported as defective. Not measured until then: salt passage, restrictor, and feed TDS. The score counts what was measured in the 30 days before.',
  )
  expect(defectiveText(['inlet_temperature_sensor'])).toBe(
    'The inlet temperature sensor is reported as defective. Cartridges are not measured until it is repaired. The score counts what was measured in the 30 days before.',
  )
})

test('the score is unsure if a part of it is not measured', () => {
  expect(isScoreUnsure([])).toBe(false)
  expect(isScoreUnsure(['inlet_flow_sensor'])).toBe(false)
  for (const fault of ['pressure_sensor', 'outlet_flow_sensor', 'inlet_tds_sensor'] as const)
    expect(isScoreUnsure([fault])).toBe(true)
})
