import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validationError } from '../../errors/app-error.js';
import * as sql from './scheduled-rows.statements.js';

/** Moves the time of scheduled messages. */
@Injectable()
export class ScheduledMessages {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Sends a scheduled message at another time. Its end moves along, unless the caller has named a moment for it.
   * @param sendAt ISO 8601.
   * @returns whether it was still scheduled.
   * @throws AppError VALIDATION_ERROR where it would be sent too near or too far from the end that the caller named
   */
  async postpone(id: string, sendAt: string): Promise<boolean> {
    if ((await sql.postponeMessage.changed(this.dataSource, { id, sendAt })) > 0) return true;
    const row = await sql.findScheduledExpiry.row(this.dataSource, { id });
    if (!row) return false;
    throw validationError({
      send_at: `must be 30 seconds to 24 hours before expires_at, which is ${row.expires_at.toISOString()}`,
    });
  }
}
