/** The titles of entries in the audit log. */
import { expect, test } from 'vitest'
import { endpoints } from '../../../../../src/api/contract/all/endpoints.ts'
import { actionOf } from '../../../../../src/api/contract/audit.ts'
import { allSettings, settingEndpoints } from '../../../../../src/api/contract/settings.ts'
import { isAudited } from '../../../../../server/bus/audited.ts'
import { auditTitles, titleOf } from '../../../../../server/resources/audit/titles.ts'

test('every endpoint that is audited has a title', () => {
  const audited = endpoints.filter(isAudited).map(actionOf)
  expect(audited.length).toBeGreaterThan(0)
  expect(audited.filter(action => !auditTitles.has(action))).toEqual([])
})

test('a setting has the title of its command, without a capital unless it begins with an abbreviation', () => {
  const titles = allSettings.map(([name]) => titleOf(actionOf(settingEndpoints[`set_${name}`]), {}))
  expect(titles).toEqual(expect.arrayContaining(['Changed auto-flush', 'Changed UV module']))
})
