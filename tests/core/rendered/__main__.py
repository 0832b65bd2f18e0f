from tests.core.rendered import write

write()
