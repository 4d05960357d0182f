import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Notification } from '../../../../../src/api/contract/notifications.ts'
import { NotificationLine } from '../../../../../src/commands/surfaces/buttons/NotificationLine.tsx'

afterEach(cleanup)

const notification: Notification = {
  _id: 'one',
  type: 'battery_low',
  device: { bssid: '02:00:00:00:00:01', description: '', company_name: '' },
  created_at: '2026-11-20T13:25:27.000Z',
  values: { battery_level: 20 },
}

test('a notification shows how many like it followed', () => {
  render(<NotificationLine notification={{ ...notification, repeats: 1312 }} when="time" />)
  expect(screen.getByText(/^Low battery/).textContent).toMatch(/: 20 ?% \+ 1,312 more$/)
})

test('a notification that no other followed shows no number', () => {
  render(<NotificationLine notification={notification} when="time" />)
  expect(screen.getByText(/^Low battery/).textContent).not.toContain('more')
})
