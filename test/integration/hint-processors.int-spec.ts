import { jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { HintProcessor } from '../../src/hints/hint-processor.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { NotificationProcessing } from '../../src/notifications/processing/notification-processing.js';
import { NotificationsProcessor } from '../../src/notifications/processing/notifications.processor.js';
import { Dispatcher } from '../../src/sending/dispatcher.js';
import { SendsProcessor } from '../../src/sending/sends.processor.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';

describe.each<[string, Type<HintProcessor<unknown>>, Type]>([
  ['sends', SendsProcessor, Dispatcher],
  ['notifications', NotificationsProcessor, NotificationProcessing],
])('the processor of %s', (_, Processor, work) => {
  it('keeps errors of its queue off the console', async () => {
    const database = await TestDatabase.clone('migrated');
    const process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('consumer')],
      providers: [Processor, { provide: work, useValue: {} }],
    });
    const { worker } = process.get(Processor);
    await worker.waitUntilReady();
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    worker.emit('error', new Error('the connection is lost'));
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    await process.close();
    await database.drop();
  });
});
