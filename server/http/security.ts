/** Security headers. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Features of the browser that the console does not use, so that no script in its pages can either. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/**
 * Adds security headers: same-origin content only, no inline scripts, no features that the console does not use, and HSTS
 * if `publicUrl` is https. There are no cookies that would need `Secure`: tokens are sent in headers.
 */
export async function addSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      // helmet's defaults upgrade http to https, which an installation in a local network may not support.
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Inline style attributes are safe here, because styles cannot load anything from elsewhere.
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  const permissions = unusedFeatures.map(feature => `${feature}=()`).join(', ')
  app.addHook('onRequest', async (_, reply) => {
    reply.header('permissions-policy', permissions)
  })
}
