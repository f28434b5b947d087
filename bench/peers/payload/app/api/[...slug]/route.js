import { REST_GET } from '@payloadcms/next/routes'
import config from '../../../payload.config.mjs'

export const GET = REST_GET(config)
