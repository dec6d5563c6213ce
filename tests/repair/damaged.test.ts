import { describeDamaged } from './support/describe-damaged';

describeDamaged(['JPEG', 'DOCX/XLSX/PPTX', 'PDF', 'DOC/XLS/PPT']);
