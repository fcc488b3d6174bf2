import { serve } from './serve.js';

serve(process.env.WORKER_PORT);
