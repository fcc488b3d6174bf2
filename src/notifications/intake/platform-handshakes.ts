import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../../logging/logging.module.js';
import * as sql from './platform-handshakes.statements.js';

/** Says that a handshake is a trial of `npm run doctor`: it does not show that the platform knows the address. */
export const trialUserAgent = 'parley-doctor';

/** Records when the platform last verified the callback URL. */
@Injectable()
export class PlatformHandshakes {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A caller knew the verify token. It gets its answer even if that cannot be stored. */
  async note(userAgent: string | undefined): Promise<void> {
    if (userAgent === trialUserAgent) return;
    try {
      await sql.notePlatformHandshake.run(this.dataSource);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not record that the callback URL was verified');
    }
  }
}
