import { Module } from '@nestjs/common';
import { PlatformModule } from '../platform/platform.module.js';
import { UploadedFiles } from './uploaded-files.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

/** Uploads: passed on to WhatsApp, and named by messages. */
@Module({
  imports: [PlatformModule],
  controllers: [UploadsController],
  providers: [UploadsService, UploadedFiles],
  exports: [UploadedFiles, UploadsService],
})
export class UploadsModule {}
