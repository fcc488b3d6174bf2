import { serve } from './serve.js';

serve(process.env.PORT);
