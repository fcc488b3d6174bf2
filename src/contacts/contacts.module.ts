import { Module } from '@nestjs/common';
import { ContactReads } from './contact-reads.js';
import { ContactWindows } from './contact-windows.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { ContactSearch } from './search/contact-search.js';

/** Contacts for callers. */
@Module({
  controllers: [ContactsController],
  providers: [ContactReads, ContactSearch, ContactsService, ContactWindows],
  exports: [ContactReads, ContactSearch, ContactWindows],
})
export class ContactsModule {}
