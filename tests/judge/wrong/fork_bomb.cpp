// Each process starts other processes: 500 in all, but only 64 are allowed. Expected verdict: RTE (runtime error), not MLE (memory limit
// exceeded). The processes share 2 MB of memory, which is little, although it is part of the resident memory of each process. Each process
// ends by itself after 20 s, so that the machine is not overloaded if the judge fails to end the processes.
#include <atomic>
#include <new>
#include <vector>
#include <sys/mman.h>
#include <unistd.h>

int main() {
    std::vector<char> shared_by_all(2 << 20, 1);
    void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    auto* forks = new (shared) std::atomic<int>(0);
    alarm(20);
    while ((*forks)++ < 500) {
        // A child process does not inherit the alarm of its parent.
        if (fork() == 0) alarm(20);
    }
    // Waits until the alarm ends the process.
    while (shared_by_all.back()) pause();
}
